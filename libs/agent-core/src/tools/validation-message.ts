import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { writeJson } from '../shared/canonical-json.js';
import { fromPlain, type JsonValue } from '../shared/json.js';
import type { JsonProblem } from '../shared/json-problem.js';
import { isWithin, pointerBelow, readPointer } from '../shared/pointer.js';
import { cutText } from '../shared/text.js';
import { typeInWords } from './schema-types.js';

const MAX_PROBLEMS = 10;
/** Errors that are looked at: sorting out alternatives compares each with all before it. */
const MAX_ERRORS = 1_000;
const MAX_VALUE_BYTES = 80;

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-10-01',
  'date-time': 'a date and time such as 2026-10-01T09:30:00Z',
  time: 'a time such as 09:30:00Z',
  duration: 'a duration such as P3DT12H',
  email: 'an e-mail address such as name@example.com',
  hostname: 'a host name such as www.example.com',
  ipv4: 'an IPv4 address such as 192.0.2.1',
  ipv6: 'an IPv6 address such as 2001:db8::1',
  uri: 'a URI such as https://example.com/path',
  uuid: 'a UUID such as 123e4567-e89b-42d3-a456-426614174000',
};

/** ajv's errors as sentences that a model can act on, each with a pointer into the arguments. */
export function explainErrors(
  errors: readonly ErrorObject[],
  args: JsonValue,
  hidden: readonly string[],
): readonly JsonProblem[] {
  const problems = new Map<string, JsonProblem>();
  for (const error of withoutAlternatives(errors.slice(0, MAX_ERRORS))) {
    const problem = explain(error, args, hidden);
    if (problem !== null) problems.set(`${problem.path} ${problem.message}`, problem);
  }
  const all = [...problems.values()];
  if (all.length <= MAX_PROBLEMS) return all;
  const rest = all.length - MAX_PROBLEMS;
  return [...all.slice(0, MAX_PROBLEMS), { path: '', message: `and ${rest} more problems` }];
}

/**
 * Of alternatives (anyOf, oneOf) that all failed, ajv reports the errors of each, and then that none fits. What helps
 * are the errors of the form that was meant: those beyond a wrong type at the top. Where the type fits none, one
 * sentence names them all.
 */
function withoutAlternatives(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept: ErrorObject[] = [];
  for (const error of errors) {
    if (!isFailedChoice(error)) {
      kept.push(error);
      continue;
    }
    const inside = kept.filter(({ instancePath }) => isWithin(instancePath, error.instancePath));
    const atTop = inside.filter(
      ({ keyword, instancePath }) => keyword === 'type' && instancePath === error.instancePath,
    );
    const others = kept.filter((one) => !atTop.includes(one));
    const types = atTop.flatMap(({ params }) => params.type as string | string[]);
    if (inside.length > atTop.length) kept = others;
    else
      kept =
        types.length > 0
          ? [...others, { ...error, keyword: 'type', params: { type: types } }]
          : [...kept, error];
  }
  return mergedChoices(kept);
}

function isFailedChoice({ keyword, params }: ErrorObject): boolean {
  return keyword === 'anyOf' || (keyword === 'oneOf' && !params.passingSchemas);
}

/** Several `const` and `enum` errors at one place are alternatives: together they are one list of what is allowed. */
function mergedChoices(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const merged: ErrorObject[] = [];
  for (const error of errors) {
    const values = allowedValues(error);
    const at = merged.findIndex(
      (one) => one.instancePath === error.instancePath && allowedValues(one) !== null,
    );
    const earlier = merged[at];
    if (values === null || earlier === undefined) merged.push(error);
    else merged[at] = { ...earlier, keyword: 'enum', schema: [...(allowedValues(earlier) ?? []), ...values] };
  }
  return merged;
}

function allowedValues({ keyword, schema }: ErrorObject): readonly unknown[] | null {
  if (keyword === 'const') return [schema];
  return keyword === 'enum' && Array.isArray(schema) ? schema : null;
}

function explain(error: ErrorObject, args: JsonValue, hidden: readonly string[]): JsonProblem | null {
  const { keyword, instancePath, params, propertyName } = error;
  const path = propertyName === undefined ? instancePath : pointerBelow(instancePath, propertyName);
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return { path: pointerBelow(path, params.missingProperty), message: 'is required' };
    case 'additionalProperties':
      return {
        path: pointerBelow(path, params.additionalProperty),
        message: `is not a known field${knownFields(error, hidden)}`,
      };
    case 'unevaluatedProperties':
      return { path: pointerBelow(path, params.unevaluatedProperty), message: 'is not a known field' };
    case 'propertyNames':
    case 'if':
      return null;
    default:
      return { path, message: `${expectation(error)}${got(error, args)}` };
  }
}

function knownFields({ parentSchema, instancePath }: ErrorObject, hidden: readonly string[]): string {
  const all = Object.keys((parentSchema?.properties as object | undefined) ?? {});
  const names = instancePath === '' ? all.filter((name) => !hidden.includes(name)) : all;
  return names.length > 0 ? ` (known: ${names.join(', ')})` : '';
}

function expectation({ keyword, schema, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${typeInWords([params.type].flat())}`;
    case 'enum':
      return `must be one of ${(Array.isArray(schema) ? schema : []).map(shortly).join(', ')}`;
    case 'const':
      return `must be ${shortly(schema)}`;
    case 'format':
      return FORMATS[String(schema)]
        ? `must be ${FORMATS[String(schema)]}`
        : `must have the format ${schema}`;
    case 'minimum':
      return `must be at least ${schema}`;
    case 'maximum':
      return `must be at most ${schema}`;
    case 'exclusiveMinimum':
      return `must be more than ${schema}`;
    case 'exclusiveMaximum':
      return `must be less than ${schema}`;
    case 'multipleOf':
      return `must be a multiple of ${schema}`;
    case 'pattern':
      return `must match the pattern ${schema}`;
    case 'uniqueItems':
      return 'must not hold an item twice';
    case 'anyOf':
      return 'must have one of the forms that the tool takes';
    case 'oneOf':
      return 'must have exactly one of the forms that the tool takes';
    case 'not':
      return 'must not have the form that the tool excludes';
    case 'false schema':
      return 'must not be given';
    default:
      return message ?? `must satisfy ${keyword}`;
  }
}

function got({ instancePath, propertyName }: ErrorObject, args: JsonValue): string {
  if (propertyName !== undefined) return ' (it is a field name)';
  const read = readPointer(args, instancePath);
  return read.found && instancePath !== '' ? ` (got ${cutJson(read.value)})` : '';
}

const shortly = (value: unknown): string => cutJson(fromPlain(value));

function cutJson(value: JsonValue): string {
  const { text, cutBytes } = cutText(writeJson(value), MAX_VALUE_BYTES);
  return cutBytes > 0 ? `${text}...` : text;
}

let metaSchema: Ajv2020 | null = null;

/** What the meta-schema of draft 2020-12 finds in a schema; paths lead into the schema. */
export function problemsOfSchema(schema: Record<string, unknown>): readonly JsonProblem[] {
  metaSchema ??= new Ajv2020({
    allErrors: true,
    logger: false,
    strict: false,
    validateFormats: false,
    verbose: true,
  });
  if (metaSchema.validateSchema(schema) === true) return [];
  return explainErrors(metaSchema.errors ?? [], fromPlain(schema), []);
}
