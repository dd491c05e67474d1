import { LosslessNumber } from 'lossless-json';
import { isBranch, stepsOf } from '../changes';
import type { Schema } from './field';

const DEEPEST_REFERENCE = 16;

/** A schema with its local `$ref` followed; null where it says nothing that a form could use. */
export function resolved(schema: unknown, root: Schema): Schema | null {
  let current = schema;
  for (let depth = 0; depth < DEEPEST_REFERENCE; depth += 1) {
    if (!isBranch(current)) return null;
    const { $ref } = current;
    if (typeof $ref !== 'string') return current;
    if (!/^#(\/|$)/.test($ref)) return null;
    current = stepsOf($ref.slice(1)).reduce<unknown>(
      (place, step) => (isBranch(place) ? place[step] : undefined),
      root,
    );
  }
  return null;
}

/** What kind of value a form offers for a schema; null: a JSON text. */
export type FormType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

/** The type that a schema allows, else the one that its value has. Several types, and unions, are beyond a form. */
export function typeOf(schema: Schema | null, value: unknown): FormType | null {
  const union = schema !== null && ['anyOf', 'oneOf', 'allOf', 'not', 'if'].some((word) => word in schema);
  if (union) return null;
  const named = schema?.type;
  if (typeof named === 'string') return isFormType(named) ? named : null;
  return named === undefined ? typeOfValue(value) : null;
}

/** Whether a value is one that a control of this type could show without changing it. */
export function fits(type: FormType, value: unknown): boolean {
  const found = typeOfValue(value);
  return found === type || (found === 'number' && type === 'integer');
}

function typeOfValue(value: unknown): FormType | null {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number' || value instanceof LosslessNumber) return 'number';
  if (Array.isArray(value)) return 'array';
  return isBranch(value) ? 'object' : null;
}

function isFormType(name: string): name is FormType {
  return ['string', 'number', 'integer', 'boolean', 'object', 'array'].includes(name);
}
