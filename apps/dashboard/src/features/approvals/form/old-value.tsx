import { cn } from '../../../kit/cn';
import { ValueText } from '../card/value-text';
import { changesBetween, valueAt } from '../changes';
import type { FormState } from './form-state';
import { readForm } from './read-form';

/** The value as it was asked for; struck through where the form has another one. */
export function OldValue({ form, path }: { form: Pick<FormState, 'root' | 'old'>; path: string }) {
  const read = readForm(form.root);
  const before = valueAt(form.old, path);
  const changed = read.type === 'invalid' || changesBetween(before, valueAt(read.value, path)).length > 0;
  return (
    <div
      className={cn(
        'min-w-0 truncate py-1.5 text-muted leading-5',
        changed && before !== undefined && 'line-through decoration-faint',
      )}
    >
      {before === undefined ? <span className="text-faint">not there</span> : <ValueText value={before} />}
    </div>
  );
}
