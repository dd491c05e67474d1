import { parseExactly } from '../../../api/exact-json';
import { changesBetween, valueAt } from '../changes';
import type { Control, Field } from './field';
import { withTwoDecimals } from './two-decimals';

/** Something that a form cannot hand over as it stands. */
export interface FieldProblem {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly message: string;
}

export type ReadForm =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'invalid'; readonly problems: readonly FieldProblem[] };

/**
 * The arguments that a form stands for. A number keeps the digits that were typed, and what was not touched comes back
 * as it was. Whether the whole is valid for the tool, the API says.
 */
export function readForm(root: Field): ReadForm {
  const problems: FieldProblem[] = [];
  const value = read(root, (path, message) => problems.push({ path, message }));
  return problems.length === 0 ? { type: 'value', value } : { type: 'invalid', problems };
}

/** Whether a form has another value at a place than the arguments had. What cannot be read elsewhere changes nothing here. */
export function isChangedAt(root: Field, old: unknown, path: string): boolean {
  const problems: string[] = [];
  const value = read(root, (place) => problems.push(place));
  return problems.includes(path) || changesBetween(valueAt(old, path), valueAt(value, path)).length > 0;
}

type Complain = (path: string, message: string) => void;

function read({ control, path }: Field, complain: Complain): unknown {
  switch (control.kind) {
    case 'text':
      return readText(control, (message) => complain(path, message));
    case 'date':
      return control.text;
    case 'number':
      return readNumber(control, (message) => complain(path, message));
    case 'flag':
      return control.on;
    case 'choice':
      if (control.chosen < 0) complain(path, 'Choose one.');
      return control.options[control.chosen];
    case 'group': {
      const kept = control.fields.filter(({ present }) => present);
      // A member may be called `__proto__`: entries make it one, an assignment would not.
      return Object.fromEntries(
        kept
          .filter(({ control: inner }) => inner.kind !== 'locked' || inner.value !== undefined)
          .map((field) => [field.name, read(field, complain)]),
      );
    }
    case 'list':
      return control.items.map((item) => read(item, complain));
    case 'json':
      return readJson(control.text, (message) => complain(path, message));
    case 'locked':
      return control.value;
  }
}

function readText(
  { text, amountPattern }: Extract<Control, { kind: 'text' }>,
  complain: (message: string) => void,
): string {
  if (amountPattern === undefined) return text;
  const amount = withTwoDecimals(amountPattern, text);
  if (amount === null) complain('Needs two decimals, as in 60.00.');
  return amount ?? text;
}

const INTEGER = /^-?(0|[1-9]\d*)$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function readNumber(
  control: Extract<Control, { kind: 'number' }>,
  complain: (message: string) => void,
): unknown {
  const digits = control.digits.trim();
  // `3.0` is an integer of JSON Schema: what came as one stays one.
  if (control.integer && !INTEGER.test(digits) && !/^-?\d+\.0+$/.test(digits)) {
    complain('Takes a whole number, such as 12.');
    return null;
  }
  if (!NUMBER.test(digits)) {
    complain('Takes a number, such as 12.50.');
    return null;
  }
  return parseExactly(digits);
}

function readJson(text: string, complain: (message: string) => void): unknown {
  try {
    return parseExactly(text);
  } catch {
    complain('Takes JSON: a text in quotes, a number, true, false, null, [a list] or {an object}.');
    return null;
  }
}
