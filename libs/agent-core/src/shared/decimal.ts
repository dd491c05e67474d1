import type { JsonValue } from './json.js';
import { isJsonNumber } from './json.js';

/**
 * An exact decimal: `sign * 0.DIGITS * 10^exponent`, where DIGITS has no zeros at its ends. Zero has no digits, sign 0.
 * No exponent is ever written out to compare, so `1e999999` costs nothing.
 */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  readonly digits: string;
  readonly exponent: number;
}

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,15}))?$/;

/** Reads a number as JSON writes it. Null for anything else, and for exponents of more than fifteen digits. */
export function parseDecimal(text: string): Decimal | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, minus, whole = '', fraction = '', exponent = '0'] = match;
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first === -1) return { sign: 0, digits: '', exponent: 0 };
  return {
    sign: minus ? -1 : 1,
    digits: withoutTrailingZeros(all.slice(first)),
    exponent: whole.length - first + Number(exponent),
  };
}

export function compareDecimal(a: Decimal, b: Decimal): -1 | 0 | 1 {
  if (a.sign !== b.sign) return a.sign < b.sign ? -1 : 1;
  const magnitude = a.exponent - b.exponent || order(a.digits, b.digits);
  if (magnitude === 0) return 0;
  return magnitude > 0 === a.sign > 0 ? 1 : -1;
}

/** Compares two decimals of any size as text. Null where one of them is none, or has an absurd exponent. */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 | null {
  const left = parseDecimal(a);
  const right = parseDecimal(b);
  return left === null || right === null ? null : compareDecimal(left, right);
}

/** The digits of a JSON number as it was written; null for other values. */
export function numberText(value: JsonValue | undefined): string | null {
  return isJsonNumber(value) ? value.toString() : null;
}

/** One text for all spellings of a number: `3`, `3.0` and `3e0` give the same. */
export function normalNumber(text: string): string {
  const decimal = parseDecimal(text);
  if (decimal === null) return text.toLowerCase();
  if (decimal.sign === 0) return '0';
  return `${decimal.sign < 0 ? '-' : ''}0.${decimal.digits}e${decimal.exponent}`;
}

/** True where `value` is a whole multiple of `step`, exactly. */
export function isMultipleOf(value: Decimal, step: Decimal): boolean {
  if (value.sign === 0) return true;
  if (step.sign === 0) return false;
  const shift = value.exponent - value.digits.length - (step.exponent - step.digits.length);
  // The digits end in no zero, so a value with more decimals than the step is never a multiple of it.
  if (shift < 0) return false;
  const divisor = BigInt(step.digits);
  return (BigInt(value.digits) * powerOfTen(shift, divisor)) % divisor === 0n;
}

export function isInteger(value: Decimal): boolean {
  return value.sign === 0 || value.exponent >= value.digits.length;
}

/** 10^exponent modulo `modulus`, by squaring. */
function powerOfTen(exponent: number, modulus: bigint): bigint {
  let result = 1n % modulus;
  let base = 10n % modulus;
  for (let rest = BigInt(exponent); rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Digits after the point compare as text: a shorter one that begins the longer one is smaller. */
function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The same number without an exponent: as written where it has none. Null for what is no number or longer than 100 digits. */
export function plainDecimal(text: string): string | null {
  const decimal = parseDecimal(text);
  if (decimal === null) return null;
  if (!/[eE]/.test(text)) return text;
  const { sign, digits, exponent } = decimal;
  if (sign === 0) return '0';
  if (Math.abs(exponent) > 100 || digits.length > 100) return null;
  const whole = exponent > 0 ? digits.slice(0, exponent).padEnd(exponent, '0') : '0';
  const fraction = exponent > 0 ? digits.slice(exponent) : '0'.repeat(-exponent) + digits;
  return `${sign < 0 ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}
