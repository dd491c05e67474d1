import { below, isWithin } from '../changes';
import type { Control, Field } from './field';

/** The form with another value at `path`. What is changed is also there. */
export function withControl(root: Field, path: string, control: Control): Field {
  return withField(root, path, (field) => ({ ...field, present: true, control }));
}

/** The form with the field at `path` there, or left out. */
export function withPresence(root: Field, path: string, present: boolean): Field {
  return withField(root, path, (field) => ({ ...field, present: present || field.required }));
}

/** The form with one more item at the end of the list at `path`. */
export function withItem(root: Field, path: string, item: Field): Field {
  return withField(root, path, (field) =>
    field.control.kind === 'list'
      ? { ...field, present: true, control: { ...field.control, items: [...field.control.items, item] } }
      : field,
  );
}

/** The form without one item of the list at `path`; those behind it move up. */
export function withoutItem(root: Field, path: string, position: number): Field {
  return withField(root, path, (field) => {
    if (field.control.kind !== 'list') return field;
    const items = field.control.items
      .filter((_, index) => index !== position)
      .map((item, index) => moved(item, below(path, String(index)), String(index)));
    return { ...field, control: { ...field.control, items } };
  });
}

function withField(field: Field, path: string, change: (field: Field) => Field): Field {
  if (field.path === path) return change(field);
  if (!isWithin(path, field.path)) return field;
  return { ...field, control: withInner(field.control, (inner) => withField(inner, path, change)) };
}

function moved(field: Field, path: string, name: string): Field {
  const control = withInner(field.control, (inner) => moved(inner, below(path, inner.name), inner.name));
  return { ...field, name, path, control };
}

function withInner(control: Control, change: (field: Field) => Field): Control {
  if (control.kind === 'group') return { ...control, fields: control.fields.map(change) };
  if (control.kind === 'list') return { ...control, items: control.items.map(change) };
  return control;
}
