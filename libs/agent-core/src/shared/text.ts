/** The name of the first thing in a text that Postgres or some providers refuse, or null. */
export function textProblem(text: string): 'NUL' | 'a lone surrogate' | null {
  if (text.includes('\u0000')) return 'NUL';
  // With the u flag a surrogate matches only where it has no partner.
  return /\p{Surrogate}/u.test(text) ? 'a lone surrogate' : null;
}

/** The text with the replacement character for each lone surrogate, for who takes those for broken JSON. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Bytes of a text in UTF-8; a lone surrogate counts three. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

export interface CutText {
  readonly text: string;
  /** Bytes that were cut off; 0 where the text fits. */
  readonly cutBytes: number;
}

/** Cuts a text to at most `maxBytes` bytes of UTF-8, never within a code point (invariant I12). */
export function cutText(text: string, maxBytes: number): CutText {
  const total = byteLength(text);
  if (total <= maxBytes) return { text, cutBytes: 0 };
  let bytes = 0;
  let length = 0;
  for (const character of text) {
    const size = byteLength(character);
    if (bytes + size > maxBytes) break;
    bytes += size;
    length += character.length;
  }
  return { text: text.slice(0, length), cutBytes: total - bytes };
}
