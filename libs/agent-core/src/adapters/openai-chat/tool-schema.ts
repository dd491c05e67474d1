import { isLosslessNumber, parse, stringify } from 'lossless-json';
import type { ModelChoice } from '../../model/model-choice.js';
import type { JsonText } from '../../shared/brand.js';
import { asObject } from './wire-value.js';

/** OpenAI refuses a function whose parameters have one of these at the top level. */
const REFUSED_AT_THE_TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];
const MOST_REMEMBERED = 1000;

const translated = new Map<string, string>();

/**
 * A tool's parameters as the provider takes them. We never ask for strict mode: it refuses optional fields, open
 * objects and unions. What is taken out here still binds: arguments are validated against the original.
 */
export function toolParameters(parameters: JsonText, provider: ModelChoice['provider']): string {
  const key = `${provider} ${parameters}`;
  const known = translated.get(key);
  if (known !== undefined) return known;
  const text = translate(parameters, provider);
  if (translated.size >= MOST_REMEMBERED) translated.clear();
  translated.set(key, text);
  return text;
}

function translate(parameters: JsonText, provider: ModelChoice['provider']): string {
  const schema = asObject(parse(parameters));
  if (schema === null || isLosslessNumber(schema)) return '{"type":"object","properties":{}}';
  const refused = provider === 'openai' ? REFUSED_AT_THE_TOP : [];
  const isAccepted =
    schema.type === 'object' && schema.properties !== undefined && !refused.some((word) => word in schema);
  if (isAccepted) return parameters;
  const kept = Object.entries(schema).filter(([word]) => !refused.includes(word));
  const properties = schema.properties ?? {};
  return stringify({ ...Object.fromEntries(kept), type: 'object', properties }) ?? parameters;
}
