/** From so many characters on a text is no amount that somebody types. */
const LONGEST_AMOUNT = 40;

/** An amount that lacks decimals: `60`, `60.`, `60.5`. */
const UNFINISHED = /^(-?\d+)(?:\.(\d?))?$/;

/** Whether a pattern (JSON Schema: ECMA-262, found anywhere unless it says otherwise) is for amounts with two decimals. */
export function wantsTwoDecimals(pattern: string): boolean {
  const test = tester(pattern);
  return test('60.00') && test('1.25') && !test('60') && !test('60.5') && !test('60.000');
}

/** The text as the pattern takes it, with the decimals that are missing; null where that does not make it one. */
export function withTwoDecimals(pattern: string, text: string): string | null {
  const typed = text.trim();
  const test = tester(pattern);
  if (test(typed)) return typed;
  const [, whole, decimal = ''] = UNFINISHED.exec(typed) ?? [];
  const completed = whole === undefined ? '' : `${whole}.${decimal.padEnd(2, '0')}`;
  return test(completed) ? completed : null;
}

/** A pattern that no engine understands takes nothing. */
function tester(pattern: string): (text: string) => boolean {
  try {
    const expression = new RegExp(pattern, 'u');
    return (text) => text.length <= LONGEST_AMOUNT && expression.test(text);
  } catch {
    return () => false;
  }
}
