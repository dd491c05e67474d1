import { cn } from './cn';
import { hint } from './hint';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en');

interface CountProps {
  value: number;
  /** What is counted, for the hint: `tokens`. */
  unit?: string;
  /** No hint: what is around it has one. */
  bare?: boolean;
  className?: string;
}

/** A number of things, short from a thousand on; all of it on hover. */
export function Count({ value, unit, bare = false, className }: CountProps) {
  const exact = unit === undefined ? whole.format(value) : `${whole.format(value)} ${unit}`;
  return (
    <span className={cn('figures whitespace-nowrap font-mono', className)} {...(bare ? {} : hint(exact))}>
      {value < 1_000 ? value : compact.format(value)}
    </span>
  );
}
