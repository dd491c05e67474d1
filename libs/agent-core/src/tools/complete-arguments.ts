import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../shared/json.js';
import { listedUnder, namedUnder, resolveReference, stringsUnder } from './subschemas.js';

/** Schemas and their names looked at in one completion, and levels of its result: what needs more does not end in practice. */
const MAX_STEPS = 1_000_000;
const MAX_DEPTH = 200;

/** Thrown where completion does not end: defaults that contain themselves, or an absurd tangle of references. */
export class EndlessCompletion extends Error {}

/**
 * Removes the nulls of optional fields (some providers make a model write every field), then fills in the schema's
 * defaults, in nested objects and lists too; a default of null is no default. Looks through `$ref`, `allOf`, and the
 * `anyOf` or `oneOf` of a single form and null. Under other alternatives nothing is changed: which one is meant is not
 * known before validation. The given value stays as it is. Throws EndlessCompletion.
 */
export function completeArguments(
  args: JsonObject,
  root: JsonObject,
  targets: ReadonlyMap<string, JsonObject>,
): JsonObject {
  return new Completion(targets).completeObject(args, [root]);
}

class Completion {
  private steps = 0;
  private depth = 0;
  constructor(private readonly targets: ReadonlyMap<string, JsonObject>) {}

  private spend(steps: number): void {
    this.steps += steps;
    if (this.steps > MAX_STEPS) throw new EndlessCompletion();
  }

  private complete(value: JsonValue, schemas: readonly JsonObject[]): JsonValue {
    if (this.depth === MAX_DEPTH) throw new EndlessCompletion();
    this.depth += 1;
    const completed = this.completeLevel(value, schemas);
    this.depth -= 1;
    return completed;
  }

  private completeLevel(value: JsonValue, schemas: readonly JsonObject[]): JsonValue {
    if (Array.isArray(value)) {
      const all = this.expand(schemas);
      return value.map((item, index) => this.complete(item, itemSchemas(all, index)));
    }
    return isJsonObject(value) ? this.completeObject(value, schemas) : value;
  }

  completeObject(value: JsonObject, given: readonly JsonObject[]): JsonObject {
    const schemas = this.expand(given);
    const known = propertySchemas(schemas);
    const required = new Set(schemas.flatMap((schema) => stringsUnder(schema, 'required')));
    this.spend(known.size + required.size);
    const completed: JsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      const fields = known.get(name);
      if (item === null && fields !== undefined && !required.has(name)) continue;
      setOwn(completed, name, this.complete(item, fields ?? additionalSchemas(schemas)));
    }
    for (const [name, fields] of known) {
      if (Object.hasOwn(completed, name)) continue;
      const filled = this.defaultOf(fields);
      if (filled !== null) setOwn(completed, name, this.complete(filled, fields));
    }
    return completed;
  }

  private defaultOf(schemas: readonly JsonObject[]): JsonValue {
    for (const schema of this.expand(schemas)) {
      const value = ownValue(schema, 'default') ?? null;
      if (value !== null) return value;
    }
    return null;
  }

  /** The schemas and all those that hold for the same value with certainty. */
  private expand(schemas: readonly JsonObject[]): readonly JsonObject[] {
    const found = new Set<JsonObject>();
    const pending = [...schemas].reverse();
    for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
      this.spend(1);
      if (found.has(schema)) continue;
      found.add(schema);
      const reference = ownValue(schema, '$ref');
      const target = typeof reference === 'string' ? resolveReference(this.targets, reference) : undefined;
      const nested = [
        target ?? [],
        listedUnder(schema, 'allOf'),
        onlyForm(schema, 'anyOf'),
        onlyForm(schema, 'oneOf'),
      ];
      pending.push(...nested.flat().reverse());
    }
    return [...found];
  }
}

/** The form of `anyOf: [form, {type: null}]`, as generators of schemas write an optional value. */
function onlyForm(schema: JsonObject, keyword: 'anyOf' | 'oneOf'): readonly JsonObject[] {
  const forms = listedUnder(schema, keyword).filter((form) => ownValue(form, 'type') !== 'null');
  return forms.length === 1 ? forms : [];
}

function propertySchemas(schemas: readonly JsonObject[]): ReadonlyMap<string, readonly JsonObject[]> {
  const known = new Map<string, JsonObject[]>();
  for (const schema of schemas) {
    for (const [name, field] of Object.entries(namedUnder(schema, 'properties'))) {
      const fields = known.get(name) ?? [];
      if (isJsonObject(field)) fields.push(field);
      known.set(name, fields);
    }
  }
  return known;
}

function additionalSchemas(schemas: readonly JsonObject[]): readonly JsonObject[] {
  return schemas.map((schema) => namedUnder(schema, 'additionalProperties'));
}

function itemSchemas(schemas: readonly JsonObject[], index: number): readonly JsonObject[] {
  return schemas.map((schema) => listedUnder(schema, 'prefixItems')[index] ?? namedUnder(schema, 'items'));
}
