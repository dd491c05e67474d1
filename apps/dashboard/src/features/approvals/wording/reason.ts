import { USUAL_REASONS } from './reasons';

/** Why a request is rejected, as it is written. */
export interface Reason {
  readonly text: string;
  /** The digits that took the usual reason, until another key is pressed: they may have begun a sentence. */
  readonly digits: string | null;
}

export const NO_REASON: Reason = { text: '', digits: null };

/**
 * What a key makes of the reason; null where it is the text field's own. In an empty field a digit takes the usual reason of
 * its number, and another digit that of its own; typed on, they turn out to have begun a sentence, and stand there as such.
 */
export function afterKey({ text, digits }: Reason, key: string): Reason | null {
  if (MODIFIERS.has(key)) return null;
  const usual = text === '' || digits !== null ? USUAL_REASONS[Number(key) - 1] : undefined;
  if (usual !== undefined) return { text: usual, digits: (digits ?? '') + key };
  if (digits === null) return null;
  return { text: key.length === 1 ? digits + key : text, digits: null };
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Meta', 'Alt', 'CapsLock']);

/** A usual reason, with a person's own words kept behind it. */
export function withUsual(text: string, usual: string): string {
  return `${usual} ${ownWords(text)}`.trimEnd();
}

/** What a person wrote beside the usual reason. */
export function ownWords(text: string): string {
  return text.slice(usualOf(text)?.length ?? 0).trimStart();
}

/** The usual reason that a text begins with. */
export function usualOf(text: string): string | undefined {
  return USUAL_REASONS.find((usual) => text.startsWith(usual));
}
