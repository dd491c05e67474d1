/** What ECMA 262 calls white space and ends of lines, as ranges of a class; RE2's own `\s` is that of ASCII. */
const SPACE =
  '\\t-\\r\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NO_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const ANY = '[^\\n\\r\\x{2028}\\x{2029}]';

/** One piece of a pattern: two halves of a character, an escape, or one character. */
const PIECE = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[\s\S]|[\s\S]/g;
/** Letters that ECMA 262 gives a meaning after a backslash; RE2 gives others a meaning of its own. */
const ESCAPES = /^\\[^a-zA-Z]$|^\\[bBcdDfknpPrsStuvwWx]$/;

/** A pattern of ECMA 262 in the words of RE2, where both have words for it; `unknown` is an escape that only RE2 knows. */
export function toRe2(source: string): { readonly pattern: string } | { readonly unknown: string } {
  let inClass = false;
  let pattern = '';
  for (const [piece] of source.matchAll(PIECE)) {
    if (piece.length === 2 && piece.startsWith('\\') && !ESCAPES.test(piece)) return { unknown: piece };
    pattern += inClass ? insideClass(piece) : outsideClass(piece);
    if (piece === '[') inClass = true;
    if (piece === ']') inClass = false;
  }
  return { pattern };
}

function outsideClass(piece: string): string {
  if (piece === '.') return ANY;
  if (piece === '\\s') return `[${SPACE}]`;
  if (piece === '\\S') return `[^${SPACE}]`;
  return pair(piece);
}

function insideClass(piece: string): string {
  if (piece === '\\s') return SPACE;
  if (piece === '\\S') return NO_SPACE;
  // RE2 reads `[:alpha:]` within a class.
  return piece === '[' ? '\\[' : pair(piece);
}

/** Both halves of a character, each written as an escape, are one character. */
function pair(piece: string): string {
  if (piece.length !== 12) return piece;
  const text = String.fromCharCode(
    Number.parseInt(piece.slice(2, 6), 16),
    Number.parseInt(piece.slice(8), 16),
  );
  return `\\x{${text.codePointAt(0)?.toString(16)}}`;
}
