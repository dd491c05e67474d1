'use client';

import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../../kit/button';
import { InertText } from '../../../kit/inert-text';
import { below } from '../changes';
import { withControl, withItem, withoutItem, withPresence } from './change-form';
import type { Field } from './field';
import { FieldControl } from './field-control';
import type { FormState } from './form-state';
import { LockedValue } from './locked-value';
import { OldValue } from './old-value';
import { newItem } from './open-form';

/** The members of a group, each with the value it had beside the value it gets. */
export function FormFields({ fields, form }: { fields: readonly Field[]; form: FormState }) {
  return (
    <div className="flex flex-col gap-3">
      {fields.map((field) => (
        <FormField key={field.path} field={field} form={form} />
      ))}
    </div>
  );
}

function FormField({ field, form }: { field: Field; form: FormState }) {
  const { control } = field;
  if (control.kind === 'locked' && control.value === undefined) {
    return null;
  }
  const nested = control.kind === 'group' || control.kind === 'list';
  return (
    <div>
      <FieldHead field={field} form={form} />
      {!field.present ? null : nested ? (
        <div className="mt-1 border-line border-l pl-3">
          <Nested field={field} form={form} />
        </div>
      ) : (
        <div className="grid gap-x-3 gap-y-1 md:grid-cols-2">
          <OldValue form={form} path={field.path} />
          {control.kind === 'locked' ? (
            <LockedValue lock={control.lock} />
          ) : (
            <FieldControl
              field={field}
              problem={form.problemAt(field.path)}
              onChange={(next) => form.onChange(withControl(form.root, field.path, next))}
            />
          )}
        </div>
      )}
    </div>
  );
}

function FieldHead({ field, form }: { field: Field; form: FormState }) {
  const { name, note, required, present, control, path } = field;
  const optional = !required && control.kind !== 'locked';
  return (
    <div className="mb-0.5 flex min-h-6 items-baseline gap-2">
      <InertText text={name} className="shrink-0 font-mono text-12" />
      {note !== null && <InertText text={note} className="min-w-0 truncate text-12 text-faint" />}
      {optional && (
        <Button
          variant="ghost"
          size="small"
          className="-mr-2 ml-auto"
          onClick={() => form.onChange(withPresence(form.root, path, !present))}
        >
          {present ? 'Leave out' : 'Add'}
        </Button>
      )}
    </div>
  );
}

function Nested({ field, form }: { field: Field; form: FormState }) {
  const { control, path } = field;
  if (control.kind === 'group') {
    return <FormFields fields={control.fields} form={form} />;
  }
  if (control.kind !== 'list') {
    return null;
  }
  const item = newItem(form.schema, form.rules, field);
  return (
    <div className="flex flex-col gap-2">
      {control.items.map((each, position) => (
        <div key={each.path} className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <FormField field={{ ...each, name: String(position + 1) }} form={form} />
          </div>
          <IconButton
            label={`Take out item ${position + 1}`}
            size="small"
            onClick={() => form.onChange(withoutItem(form.root, path, position))}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      {item !== null && (
        <Button
          size="small"
          className="self-start"
          onClick={() => form.onChange(withItem(form.root, path, { ...item, path: below(path, item.name) }))}
        >
          <Plus aria-hidden />
          Add an item
        </Button>
      )}
    </div>
  );
}
