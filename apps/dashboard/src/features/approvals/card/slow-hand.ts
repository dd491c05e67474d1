/** How long after a change a press still belongs to what was there before it, in milliseconds. */
const REACTION_MS = 400;

let changedAt = Number.NEGATIVE_INFINITY;
let keyIsHeld = false;

if (typeof window !== 'undefined') {
  window.addEventListener('keydown', ({ repeat }) => (keyIsHeld = repeat), { capture: true });
  window.addEventListener('keyup', () => (keyIsHeld = false), { capture: true });
  window.addEventListener('blur', () => (keyIsHeld = false));
}

/** What can be decided has changed in place: another card has come up under the same button, or other arguments. */
export function noteChange(now: number): void {
  changedAt = now;
}

/**
 * Whether a press at `now` is meant for what is shown now. The second half of a double click, or a key that is held
 * down, would else decide on a card that nobody has read.
 */
export function isMeant(now: number): boolean {
  return !keyIsHeld && now - changedAt >= REACTION_MS;
}
