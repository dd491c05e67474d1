import { writeExactly } from '../../../api/exact-json';
import { below, isBranch } from '../changes';
import type { Control, EditRules, Field, Schema } from './field';
import { lockAt, opensAt } from './lock';
import { type FormType, fits, resolved, typeOf } from './schema';
import { wantsTwoDecimals } from './two-decimals';

/** What every field of one form is made with. */
interface Sources {
  readonly root: Schema;
  readonly rules: EditRules;
}

interface Place {
  readonly name: string;
  readonly path: string;
  readonly schema: unknown;
  readonly required: boolean;
  /** Undefined: there is none yet. */
  readonly value: unknown;
  /** How many levels of nothing lie above: a schema may lead into itself, a form must end. */
  readonly absent: number;
}

const DEEPEST_ABSENT = 2;

/** The arguments of a call as a form: a group that holds each of them, in the order of the schema. */
export function openForm(schema: Schema, value: unknown, rules: EditRules): Field {
  return fieldOf({ root: schema, rules }, { name: '', path: '', schema, required: true, value, absent: 0 });
}

/** One more item of a list, empty. */
export function newItem(root: Schema, rules: EditRules, list: Field): Field | null {
  if (list.control.kind !== 'list') return null;
  const name = String(list.control.items.length);
  const path = below(list.path, name);
  const place = { name, path, schema: list.control.item, required: true, value: undefined, absent: 0 };
  return fieldOf({ root, rules }, place);
}

function fieldOf(sources: Sources, place: Place): Field {
  const schema = resolved(place.schema, sources.root);
  const { description } = schema ?? {};
  return {
    name: place.name,
    path: place.path,
    note: typeof description === 'string' ? description : null,
    required: place.required,
    present: place.required || place.value !== undefined,
    control: controlOf(sources, place, schema),
  };
}

function controlOf(sources: Sources, place: Place, schema: Schema | null): Control {
  const { path, value } = place;
  const lock = lockAt(sources.rules, path);
  const type = typeOf(schema, value);
  const opens = type === 'object' && opensAt(sources.rules, path);
  if (lock !== null && path !== '' && !opens) {
    return { kind: 'locked', value, lock };
  }
  if (schema !== null && Array.isArray(schema.enum)) {
    return choice(schema.enum, value) ?? asJson(value);
  }
  if (type === null || place.absent > DEEPEST_ABSENT || (value !== undefined && !fits(type, value))) {
    return asJson(value);
  }
  return typedControl(sources, place, schema, type);
}

function typedControl(sources: Sources, place: Place, schema: Schema | null, type: FormType): Control {
  const { value } = place;
  switch (type) {
    case 'string':
      return schema?.format === 'date' && isDay(value)
        ? { kind: 'date', text: value ?? '' }
        : textControl(schema, value);
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        digits: value === undefined ? '' : String(value),
        integer: type === 'integer',
      };
    case 'boolean':
      return { kind: 'flag', on: value === true };
    case 'object':
      return { kind: 'group', fields: membersOf(sources, place, schema) };
    case 'array':
      return listOf(sources, place, schema);
  }
}

function textControl(schema: Schema | null, value: unknown): Control {
  const text = typeof value === 'string' ? value : '';
  const pattern = schema?.pattern;
  return typeof pattern === 'string' && wantsTwoDecimals(pattern)
    ? { kind: 'text', text, amountPattern: pattern }
    : { kind: 'text', text };
}

/** What the schema names, in its order; then what is there beside it. */
function membersOf(sources: Sources, { path, value, absent }: Place, schema: Schema | null): Field[] {
  const properties = isBranch(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required : [];
  const given = isBranch(value) ? value : {};
  const names = [...new Set([...Object.keys(properties), ...Object.keys(given)])];
  return names.map((name) =>
    fieldOf(sources, {
      name,
      path: below(path, name),
      schema: Object.hasOwn(properties, name) ? properties[name] : null,
      required: required.includes(name),
      value: Object.hasOwn(given, name) ? given[name] : undefined,
      absent: value === undefined ? absent + 1 : 0,
    }),
  );
}

function listOf(sources: Sources, { path, value }: Place, schema: Schema | null): Control {
  const item = resolved(schema?.items, sources.root);
  const items = Array.isArray(value) ? value : [];
  if (schema?.prefixItems !== undefined || (item === null && items.length === 0)) {
    return asJson(value);
  }
  return {
    kind: 'list',
    item,
    items: items.map((each, position) =>
      fieldOf(sources, {
        name: String(position),
        path: below(path, String(position)),
        schema: item,
        required: true,
        value: each,
        absent: 0,
      }),
    ),
  };
}

function choice(options: readonly unknown[], value: unknown): Control | null {
  const texts = options.map(writeExactly);
  const chosen = value === undefined ? -1 : texts.indexOf(writeExactly(value));
  return value !== undefined && chosen === -1 ? null : { kind: 'choice', options, chosen };
}

function asJson(value: unknown): Control {
  return { kind: 'json', text: value === undefined ? '' : writeExactly(value) };
}

/** What a date field of a browser can show: anything else it would silently empty. */
function isDay(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value));
}
