import { LosslessNumber } from 'lossless-json';
import { valueAt } from '../changes';
import type { SummarizedCall } from './summary';

/** What a call moves, by the place in its arguments that its tool names for it; null where there is none. */
export function moneyIn(
  callArguments: unknown,
  named: { readonly path: string; readonly currency: string } | null,
): SummarizedCall['money'] {
  const amount = named === null ? undefined : valueAt(callArguments, named.path);
  const isAmount =
    typeof amount === 'string' || typeof amount === 'number' || amount instanceof LosslessNumber;
  return named !== null && isAmount ? { amount: String(amount), currency: named.currency } : null;
}
