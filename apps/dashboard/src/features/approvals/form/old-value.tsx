import { cn } from '../../../kit/cn';
import { ValueText } from '../card/value-text';
import { valueAt } from '../changes';
import type { FormState } from './form-state';
import { isChangedAt } from './read-form';

/** The value as it was asked for; struck through where the form has another one. */
export function OldValue({ form, path }: { form: Pick<FormState, 'root' | 'old'>; path: string }) {
  const before = valueAt(form.old, path);
  const changed = isChangedAt(form.root, form.old, path);
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
