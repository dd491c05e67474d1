import { LosslessNumber, parse, stringify } from 'lossless-json';

/**
 * JSON text to a value, without losing a digit: a number that JavaScript would write differently than it came stays a
 * LosslessNumber, all others are numbers.
 *
 * @throws SyntaxError where the text is no JSON
 */
export function parseExactly(text: string): unknown {
  return parse(text, undefined, (digits) => {
    const number = Number(digits);
    return String(number) === digits ? number : new LosslessNumber(digits);
  });
}

/** The JSON text of a value, LosslessNumbers as the digits they came as. */
export function writeExactly(value: unknown): string {
  return stringify(value) ?? 'null';
}
