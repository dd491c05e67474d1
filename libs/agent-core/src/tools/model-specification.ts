import type { ToolSpecification } from '../model/conversation.js';
import { writeJson } from '../shared/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue, readJson, setOwn } from '../shared/json.js';
import type { ToolDefinition } from './tool-definition.js';

/** Keywords whose schemas look at the same object as the schema that holds them. */
const SAME_OBJECT = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not', 'dependentSchemas'];

/** A definition never changes, and a run asks for it with each of its model calls. */
const made = new WeakMap<ToolDefinition, ToolSpecification>();

/** What the model is told of a tool: its schema without the injected arguments. */
export function specificationOf(definition: ToolDefinition): ToolSpecification {
  const specification = made.get(definition) ?? makeSpecification(definition);
  made.set(definition, specification);
  return specification;
}

function makeSpecification(definition: ToolDefinition): ToolSpecification {
  const hidden = new Set(Object.keys(definition.inject));
  const schema = readJson(definition.parameters);
  return {
    name: definition.name,
    description: definition.description,
    parameters: hidden.size === 0 ? definition.parameters : writeJson(without(schema, hidden)),
  };
}

function without(schema: JsonValue, hidden: ReadonlySet<string>): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => without(item, hidden));
  if (!isJsonObject(schema)) return schema;
  const shown: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema))
    setOwn(shown, keyword, shownValue(keyword, value, hidden));
  return shown;
}

function shownValue(keyword: string, value: JsonValue, hidden: ReadonlySet<string>): JsonValue {
  if (keyword === 'required' && Array.isArray(value)) {
    return value.filter((name) => typeof name !== 'string' || !hidden.has(name));
  }
  if (keyword === 'properties' && isJsonObject(value)) return withoutKeys(value, hidden);
  if (keyword === 'dependentSchemas' && isJsonObject(value)) {
    const entries = Object.entries(value).map(([name, item]) => [name, without(item, hidden)]);
    return Object.fromEntries(entries);
  }
  return SAME_OBJECT.includes(keyword) ? without(value, hidden) : value;
}

function withoutKeys(object: JsonObject, hidden: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !hidden.has(name)));
}
