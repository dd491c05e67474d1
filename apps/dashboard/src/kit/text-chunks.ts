/**
 * So many characters are laid out at once: what a browser takes to lay out one word grows with the square of its length,
 * and a word of a million characters takes it most of a minute.
 */
const CHUNK = 16_384;

/** Cuts a text into chunks, at the end of a line where there is one, else after a space, never within a character. */
export function textChunks(text: string): string[] {
  const chunks: string[] = [];
  let from = 0;
  while (from < text.length) {
    const to = endOfChunk(text, from);
    chunks.push(text.slice(from, to));
    from = to;
  }
  return chunks;
}

function endOfChunk(text: string, from: number): number {
  const to = from + CHUNK;
  if (to >= text.length) {
    return text.length;
  }
  const window = text.slice(from, to);
  const layout = window.lastIndexOf('\n') + 1 || window.lastIndexOf(' ') + 1;
  if (layout > 0) {
    return from + layout;
  }
  return isWithinPair(text, to) ? to - 1 : to;
}

function isWithinPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}

/** How large a text is, as its characters count: `64 kB`, `1.0 MB`. */
export function textSize({ length }: string): string {
  return length < 1_000_000 ? `${Math.ceil(length / 1_000)} kB` : `${(length / 1_000_000).toFixed(1)} MB`;
}
