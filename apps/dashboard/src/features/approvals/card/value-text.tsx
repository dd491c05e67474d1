import { writeExactly } from '../../../api/exact-json';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import { isBranch } from '../changes';

/** A JSON value on a line, numbers to the digit, texts inert. */
export function ValueText({ value, className }: { value: unknown; className?: string }) {
  const look = cn('font-mono', className);
  if (value === undefined) return <span className={cn('text-faint', className)}>left out</span>;
  if (value === '') return <span className={cn('text-faint', className)}>empty text</span>;
  if (typeof value === 'string') return <InertText text={value} lines className={look} />;
  return isBranch(value) ? (
    <InertText text={writeExactly(value)} className={look} />
  ) : (
    <span className={look}>{String(value)}</span>
  );
}
