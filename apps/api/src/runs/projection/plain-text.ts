/**
 * Text for a plain text column: Postgres stores no NUL and no lone surrogate, so each becomes U+FFFD. Only for words
 * that are shown or looked up (names, reasons); the event beside them keeps what really came (invariant I12).
 */
export function plainText(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
}

/** `plainText`, where there is a text. */
export function plainTextOrNull(text: string | null): string | null {
  return text === null ? null : plainText(text);
}

/**
 * JSON text for a column. Lone surrogates can only stand within its strings, where an escape means the same; NUL has
 * no other form than an escape there.
 */
export function jsonColumn(json: string): string {
  return json.replace(/\p{Surrogate}/gu, (surrogate) => `\\u${surrogate.charCodeAt(0).toString(16)}`);
}
