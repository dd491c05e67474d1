import type { ModelChoice } from '../../model/model-choice.js';

/** Whose understanding of JSON Schema: a provider that takes schemas. */
export type SchemaDialect = Exclude<ModelChoice['provider'], 'scripted'>;

interface Dialect {
  /** Keywords that are refused at the top of a tool's schema. */
  readonly refusedAtTheTop: readonly string[];
  /** The keywords that are understood; null: all of draft 2020-12. */
  readonly understood: ReadonlySet<string> | null;
  /** Formats of texts that are understood; null: all. */
  readonly formats: ReadonlySet<string> | null;
  /** Whether the provider can be held to a schema that has the strict form. */
  readonly hasStrictMode: boolean;
  /** Names of arguments at the top of a schema. */
  readonly argumentName: RegExp;
}

const ANY_NAME = /^/;

/**
 * Google's `parametersJsonSchema`, which takes far more than its OpenAPI subset `parameters`: what its reference names
 * for JSON Schema (Gemini API, GenerationConfig.responseJsonSchema), and what it was seen to accept beyond (default,
 * the lengths, pattern, uniqueItems).
 */
const GOOGLE_KEYWORDS = new Set([
  '$defs',
  '$ref',
  'additionalProperties',
  'anyOf',
  'default',
  'description',
  'enum',
  'format',
  'items',
  'maximum',
  'maxItems',
  'maxLength',
  'minimum',
  'minItems',
  'minLength',
  'oneOf',
  'pattern',
  'prefixItems',
  'properties',
  'required',
  'title',
  'type',
  'uniqueItems',
]);
const GOOGLE_FORMATS = new Set(['date', 'date-time', 'double', 'float', 'int32', 'int64', 'time']);

export const DIALECTS: Readonly<Record<SchemaDialect, Dialect>> = {
  openai: {
    refusedAtTheTop: ['oneOf', 'anyOf', 'allOf', 'enum', 'not'],
    understood: null,
    formats: null,
    hasStrictMode: true,
    argumentName: ANY_NAME,
  },
  'openai-compatible': {
    refusedAtTheTop: [],
    understood: null,
    formats: null,
    hasStrictMode: false,
    argumentName: ANY_NAME,
  },
  anthropic: {
    refusedAtTheTop: ['oneOf', 'anyOf', 'allOf'],
    understood: null,
    formats: null,
    hasStrictMode: false,
    argumentName: /^[a-zA-Z0-9_.-]{1,64}$/,
  },
  google: {
    refusedAtTheTop: ['oneOf', 'anyOf'],
    understood: GOOGLE_KEYWORDS,
    formats: GOOGLE_FORMATS,
    hasStrictMode: false,
    argumentName: ANY_NAME,
  },
};
