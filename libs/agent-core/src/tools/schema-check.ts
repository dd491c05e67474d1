import { equalityText, writeJson } from '../shared/canonical-json.js';
import { compareDecimals, numberText } from '../shared/decimal.js';
import { type JsonObject, ownValue } from '../shared/json.js';
import type { JsonProblem } from '../shared/json-problem.js';
import { pointerBelow } from '../shared/pointer.js';
import { compilePattern } from './linear-pattern.js';
import { fitsType, isTypeName } from './schema-types.js';
import {
  namedUnder,
  referenceTargets,
  resolveReference,
  type Subschema,
  stringsUnder,
  subschemas,
} from './subschemas.js';

/**
 * What keeps a schema from being used for arguments: what is out of reach (remote references, patterns that do not run
 * in linear time), and what no value can ever satisfy. Each problem carries a pointer into the schema.
 */
export function schemaProblems(root: JsonObject): readonly JsonProblem[] {
  const targets = referenceTargets(root);
  const problems: JsonProblem[] = [];
  if (ownValue(root, 'type') !== 'object') problems.push({ path: '/type', message: 'must be "object"' });
  const dialect = ownValue(root, '$schema');
  if (typeof dialect === 'string' && !/^https?:\/\/json-schema\.org\//.test(dialect)) {
    problems.push({ path: '/$schema', message: 'must be a dialect of json-schema.org' });
  }
  for (const subschema of subschemas(root)) {
    problems.push(
      ...typeProblems(subschema),
      ...identityProblems(subschema, targets),
      ...patternProblems(subschema),
      ...contradictions(subschema),
    );
  }
  return problems;
}

function typeProblems({ pointer, schema }: Subschema): JsonProblem[] {
  const type = ownValue(schema, 'type');
  if (type === undefined) return [];
  const names = Array.isArray(type) ? type : [type];
  const wrong = names.find((name) => !isTypeName(name));
  if (wrong === undefined) return [];
  return [{ path: `${pointer}/type`, message: `${writeJson(wrong)} is not a type of JSON Schema` }];
}

function identityProblems(
  { pointer, schema }: Subschema,
  targets: ReadonlyMap<string, JsonObject>,
): JsonProblem[] {
  const problems: JsonProblem[] = [];
  for (const keyword of ['$dynamicRef', '$recursiveRef']) {
    if (Object.hasOwn(schema, keyword))
      problems.push({ path: `${pointer}/${keyword}`, message: 'is not supported' });
  }
  if (pointer !== '' && typeof ownValue(schema, '$id') === 'string') {
    problems.push({ path: `${pointer}/$id`, message: 'is not supported below the root' });
  }
  if (Object.hasOwn(namedUnder(schema, 'properties'), '__proto__')) {
    problems.push({ path: `${pointer}/properties/__proto__`, message: 'is a name that cannot be validated' });
  }
  const reference = ownValue(schema, '$ref');
  if (typeof reference === 'string' && resolveReference(targets, reference) === undefined) {
    const message = reference.startsWith('#')
      ? 'leads to no schema'
      : 'must begin with #: nothing is fetched';
    problems.push({ path: `${pointer}/$ref`, message });
  }
  return problems;
}

function patternProblems({ pointer, schema }: Subschema): JsonProblem[] {
  const pattern = ownValue(schema, 'pattern');
  const patterns: [path: string, source: string][] =
    typeof pattern === 'string' ? [[`${pointer}/pattern`, pattern]] : [];
  for (const source of Object.keys(namedUnder(schema, 'patternProperties'))) {
    patterns.push([pointerBelow(`${pointer}/patternProperties`, source), source]);
  }
  return patterns.flatMap(([path, source]) => {
    const compiled = compilePattern(source);
    return compiled.ok ? [] : [{ path, message: compiled.message }];
  });
}

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Keywords of one schema that no value can satisfy together. */
function contradictions({ pointer, schema }: Subschema): JsonProblem[] {
  const problems: JsonProblem[] = [];
  const type = ownValue(schema, 'type');
  for (const keyword of ['enum', 'const']) {
    const value = ownValue(schema, keyword);
    const allowed = keyword === 'enum' ? value : value === undefined ? undefined : [value];
    if (type === undefined || !Array.isArray(allowed) || allowed.some((item) => fitsType(item, type)))
      continue;
    if (keyword === 'enum' && ownValue(schema, 'nullable') === true && allowed.includes(null)) continue;
    problems.push({ path: `${pointer}/${keyword}`, message: `has no value of type ${writeJson(type)}` });
  }
  for (const [least, most] of BOUNDS) {
    const order = compareDecimals(
      numberText(ownValue(schema, least)) ?? '',
      numberText(ownValue(schema, most)) ?? '',
    );
    if (order === 1) problems.push({ path: `${pointer}/${least}`, message: `is above ${most}` });
  }
  return [...problems, ...unfitDefault({ pointer, schema }), ...unreachableRequirements({ pointer, schema })];
}

/** Such a default would be filled in and then refused, whatever the model does. A default of null is none. */
function unfitDefault({ pointer, schema }: Subschema): JsonProblem[] {
  const value = ownValue(schema, 'default') ?? null;
  const [type, listed] = [ownValue(schema, 'type'), ownValue(schema, 'enum')];
  if (value === null) return [];
  const isListed =
    !Array.isArray(listed) || listed.some((item) => equalityText(item) === equalityText(value));
  if ((type === undefined || fitsType(value, type)) && isListed) return [];
  const fit = isListed ? `has not the type ${writeJson(type ?? null)}` : 'is not in its enum';
  return [{ path: `${pointer}/default`, message: `${fit}: it would be filled in and then refused` }];
}

function unreachableRequirements({ pointer, schema }: Subschema): JsonProblem[] {
  if (ownValue(schema, 'additionalProperties') !== false) return [];
  if (Object.keys(namedUnder(schema, 'patternProperties')).length > 0) return [];
  const known = namedUnder(schema, 'properties');
  return stringsUnder(schema, 'required')
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => ({
      path: `${pointer}/required`,
      message: `${JSON.stringify(name)} is not among the properties`,
    }));
}
