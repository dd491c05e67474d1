import type { UsdText } from './brand.js';

/**
 * An exact amount of US dollars: `units / 10^scale`. The scale is whatever the digits need, so nothing is ever rounded:
 * a price of `0.0375` per million tokens is `0.0000000375` a token.
 */
export interface Usd {
  readonly units: bigint;
  readonly scale: number;
}

const AMOUNT = /^(-?)(\d{1,40})(?:\.(\d{1,60}))?$/;

/** True for a plain decimal (no exponent, no plus) of sane length, as CONTRACT writes money. */
export function isUsdText(text: string): boolean {
  return AMOUNT.test(text);
}

/** Reads an amount. Throws RangeError for anything that `isUsdText` refuses: borders check before. */
export function parseUsd(text: UsdText): Usd {
  const match = AMOUNT.exec(text);
  if (match === null) throw new RangeError(`not an amount of money: ${text.slice(0, 50)}`);
  const [, minus, whole = '0', fraction = ''] = match;
  const units = BigInt(whole + fraction);
  return { units: minus ? -units : units, scale: fraction.length };
}

/** At least six decimals, no zeros at the end beyond them, no exponent, never `-0`. */
export function formatUsd(amount: Usd): UsdText {
  const negative = amount.units < 0n;
  const digits = (negative ? -amount.units : amount.units).toString().padStart(amount.scale + 1, '0');
  const whole = digits.slice(0, digits.length - amount.scale);
  const fraction = digits.slice(digits.length - amount.scale).padEnd(6, '0');
  const kept = fraction.slice(0, 6) + fraction.slice(6).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}.${kept}`;
}

export function addUsd(a: UsdText, b: UsdText): UsdText {
  return formatUsd(sumUsd(parseUsd(a), parseUsd(b)));
}

export function subtractUsd(a: UsdText, b: UsdText): UsdText {
  const right = parseUsd(b);
  return formatUsd(sumUsd(parseUsd(a), { units: -right.units, scale: right.scale }));
}

export function compareUsd(a: UsdText, b: UsdText): -1 | 0 | 1 {
  const difference = sumUsd(parseUsd(a), { units: -parseUsd(b).units, scale: parseUsd(b).scale }).units;
  if (difference === 0n) return 0;
  return difference > 0n ? 1 : -1;
}

/** The sum of two exact amounts. */
export function sumUsd(a: Usd, b: Usd): Usd {
  const scale = Math.max(a.scale, b.scale);
  return { units: atScale(a, scale) + atScale(b, scale), scale };
}

function atScale(amount: Usd, scale: number): bigint {
  return amount.units * 10n ** BigInt(scale - amount.scale);
}
