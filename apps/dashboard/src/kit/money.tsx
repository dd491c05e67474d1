import { cn } from './cn';
import { formatExactMoney, formatMoney } from './decimal';
import { hint } from './hint';

interface MoneyProps {
  /** A decimal string, as the API writes it. */
  amount: string;
  currency?: string;
  /** Every digit at once, not only on hover. */
  exact?: boolean;
  className?: string;
}

/** An amount in cents, finer only where it is less than one; every digit on hover, and in what is read out. */
export function Money({ amount, currency = 'USD', exact = false, className }: MoneyProps) {
  return (
    <data
      value={amount}
      className={cn('figures whitespace-nowrap font-mono', className)}
      {...hint(formatExactMoney(amount, currency))}
    >
      {(exact ? formatExactMoney : formatMoney)(amount, currency)}
    </data>
  );
}
