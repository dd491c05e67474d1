/** What an element says when the pointer rests on it or the keyboard reaches it, and the key that does the same. */
export interface Hinted {
  readonly 'data-hint': string;
  readonly 'data-hint-keys'?: string;
}

/** Spread on any element: `<span {...hint('2026-10-21 09:30:00 UTC')}>`. `HintLayer` of the frame shows it. */
export function hint(text: string, keys?: string): Hinted {
  return keys === undefined ? { 'data-hint': text } : { 'data-hint': text, 'data-hint-keys': keys };
}
