import { USUAL_REASONS } from './reasons';

/** Why a request is rejected, as it is written. */
export interface Reason {
  readonly text: string;
  /** The digit that took the usual reason, until another key is pressed: it may have begun a sentence. */
  readonly digit: string | null;
}

export const NO_REASON: Reason = { text: '', digit: null };

/**
 * What a key makes of the reason; null where it is the text field's own. In an empty field a digit takes the usual reason of
 * its number; typed on, it turns out to have been the beginning of a sentence, and stands there as such.
 */
export function afterKey({ text, digit }: Reason, key: string): Reason | null {
  if (digit !== null) {
    if (MODIFIERS.has(key)) return null;
    return key.length === 1 ? { text: digit + key, digit: null } : { text, digit: null };
  }
  const usual = text === '' ? USUAL_REASONS[Number(key) - 1] : undefined;
  return usual === undefined ? null : { text: usual, digit: key };
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
