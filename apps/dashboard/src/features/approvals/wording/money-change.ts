import { formatExactMoney } from '../../../kit/decimal';
import type { SummarizedCall } from './summary';

type Money = SummarizedCall['money'];

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * How far an edit goes beyond the money that was asked for, in words: `$910.00 more than was asked`. Null where it does
 * not. Amounts that cannot be compared to the digit are said to be different, never taken for less.
 */
export function beyondAsked(asked: Money, edited: Money): string | null {
  if (edited === null || isSameMoney(asked, edited)) return null;
  const different = 'Another amount than was asked';
  if (asked === null || asked.currency !== edited.currency) return different;
  const decimals = Math.max(decimalsOf(asked.amount), decimalsOf(edited.amount));
  const before = unitsOf(asked.amount, decimals);
  const after = unitsOf(edited.amount, decimals);
  if (before === null || after === null) return different;
  if (after <= before) return null;
  const digits = (after - before).toString().padStart(decimals + 1, '0');
  const amount = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return `${formatExactMoney(amount, edited.currency)} more than was asked`;
}

/** Whether two texts of money are the same, zeros at the end aside. */
export function isSameMoney(one: Money, other: Money): boolean {
  if (one === null || other === null) return one === other;
  const decimals = Math.max(decimalsOf(one.amount), decimalsOf(other.amount));
  const units = unitsOf(one.amount, decimals);
  return (
    one.currency === other.currency &&
    (one.amount === other.amount || (units !== null && units === unitsOf(other.amount, decimals)))
  );
}

const decimalsOf = (amount: string): number => DECIMAL.exec(amount)?.[3]?.length ?? 0;

/** So many units of the last decimal; null where it is no plain decimal. */
function unitsOf(amount: string, decimals: number): bigint | null {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(amount) ?? [];
  return whole === undefined ? null : BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
}
