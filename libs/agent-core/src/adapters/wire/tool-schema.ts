import { isLosslessNumber, parse, stringify } from 'lossless-json';
import type { JsonText } from '../../shared/brand.js';
import { asObject } from './wire-value.js';

const MOST_REMEMBERED = 1000;

const translated = new Map<string, string>();

/**
 * A tool's parameters as a provider takes them that refuses the words `refusedAtTheTop` at the top of a schema. We
 * never ask for strict mode: it refuses optional fields, open objects and unions. What is taken out here still binds:
 * arguments are validated against the original.
 */
export function toolParameters(parameters: JsonText, refusedAtTheTop: readonly string[]): string {
  const key = `${refusedAtTheTop.join()} ${parameters}`;
  const known = translated.get(key);
  if (known !== undefined) return known;
  const text = translate(parameters, refusedAtTheTop);
  if (translated.size >= MOST_REMEMBERED) translated.clear();
  translated.set(key, text);
  return text;
}

function translate(parameters: JsonText, refused: readonly string[]): string {
  const schema = asObject(parse(parameters));
  if (schema === null || isLosslessNumber(schema)) return '{"type":"object","properties":{}}';
  const isAccepted =
    schema.type === 'object' && schema.properties !== undefined && !refused.some((word) => word in schema);
  if (isAccepted) return parameters;
  const kept = Object.entries(schema).filter(([word]) => !refused.includes(word));
  const properties = schema.properties ?? {};
  return stringify({ ...Object.fromEntries(kept), type: 'object', properties }) ?? parameters;
}
