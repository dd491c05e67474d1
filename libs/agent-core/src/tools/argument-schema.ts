import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonText } from '../shared/brand.js';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, parseJson } from '../shared/json.js';
import type { JsonProblem } from '../shared/json-problem.js';
import { readPointer } from '../shared/pointer.js';
import { byteLength } from '../shared/text.js';
import { completeArguments, EndlessCompletion } from './complete-arguments.js';
import { addExactKeywords } from './exact-keywords.js';
import { compilePattern } from './linear-pattern.js';
import { type PlainSchema, plainArguments, plainSchema, STEP_KEYWORD } from './plain-schema.js';
import { schemaProblems } from './schema-check.js';
import { referenceTargets } from './subschemas.js';
import { explainErrors, problemsOfSchema } from './validation-message.js';

export type Completion =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly errors: readonly JsonProblem[] };
export type Validation =
  | { readonly ok: true }
  | { readonly ok: false; readonly errors: readonly JsonProblem[] };

/** A tool's schema, ready to be used many times. Nothing in it throws. */
export interface CompiledSchema {
  /** The arguments without the nulls of optional fields and with the schema's defaults. */
  complete(args: JsonObject): Completion;
  /**
   * Errors are sentences that a model can act on; paths are JSON pointers into the arguments. They do not tell the
   * names in `hidden`, of arguments that the model does not know.
   */
  validate(args: JsonValue, hidden?: readonly string[]): Validation;
}

export type SchemaCompilation =
  | { readonly ok: true; readonly schema: CompiledSchema }
  /** Paths are JSON pointers into the schema. */
  | { readonly ok: false; readonly errors: readonly JsonProblem[] };

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 32;
/**
 * Work of one validation, in looks at a schema and what it lists (about a tenth of a second): many items under many
 * alternatives multiply, and a tangle of references can double its work with each level.
 */
const MAX_WORK = 500_000;
const CACHED_SCHEMAS = 500;
const FORMATS = [
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'int32',
  'int64',
  'ipv4',
  'ipv6',
  'json-pointer',
  'regex',
  'relative-json-pointer',
  'time',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
] as const;

const cache = new Map<JsonText, SchemaCompilation>();

/**
 * Compiles a tool's parameters (JSON Schema, draft 2020-12, of an object) or says what is wrong with them: more than
 * 64 KiB or 32 levels, a reference that leads outside, a pattern that does not run in linear time, keywords that no
 * value satisfies. Unknown keywords and formats are ignored. The last 500 schemas are kept.
 */
export function compileSchema(parameters: JsonText): SchemaCompilation {
  const known = cache.get(parameters);
  const compilation = known ?? compile(parameters);
  cache.delete(parameters);
  cache.set(parameters, compilation);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_SCHEMAS && oldest !== undefined) cache.delete(oldest);
  return compilation;
}

function compile(parameters: JsonText): SchemaCompilation {
  if (byteLength(parameters) > MAX_BYTES) return refused('', 'is larger than 64 KiB');
  const parsed = parseJson(parameters, { maxDepth: MAX_DEPTH });
  if (!parsed.ok) return { ok: false, errors: [parsed.error] };
  const root = parsed.value;
  if (!isJsonObject(root)) return refused('', 'must be a JSON Schema of an object');
  const problems = schemaProblems(root);
  if (problems.length > 0) return { ok: false, errors: problems };
  const plain = plainSchema(root);
  const malformed = problemsOfSchema(plain.schema);
  if (malformed.length > 0) return { ok: false, errors: malformed };
  try {
    const schema = compiledSchema(root, plain);
    const trial = schema.complete({});
    return trial.ok ? { ok: true, schema } : trial;
  } catch (error) {
    return refused('', error instanceof Error ? error.message : 'cannot be compiled');
  }
}

function compiledSchema(root: JsonObject, plain: PlainSchema): CompiledSchema {
  let current: JsonValue = null;
  let work = 0;
  const ajv = new Ajv2020({
    allErrors: true,
    code: { regExp: linearRegExp },
    logger: false,
    meta: false,
    ownProperties: true,
    strict: false,
    strictNumbers: false,
    validateSchema: false,
    verbose: true,
  });
  addFormats.default(ajv, [...FORMATS]);
  addExactKeywords(ajv, {
    valueAt: (pointer) => {
      const read = readPointer(current, pointer);
      return read.found ? read.value : null;
    },
    limitOf: (schema, keyword) => ownValue(plain.exact.get(schema) ?? {}, keyword) ?? null,
  });
  ajv.addKeyword({
    keyword: STEP_KEYWORD,
    validate: (more: number) => {
      work += more;
      if (work > MAX_WORK) throw new RangeError('too much work');
      return true;
    },
  });
  const test: ValidateFunction = ajv.compile(plain.schema);
  const targets = referenceTargets(root);
  return {
    complete: (args) => guarded(() => ({ ok: true, args: completeArguments(args, root, targets) })),
    validate: (args, hidden = []) =>
      guarded<Validation>(() => {
        current = args;
        work = 0;
        return test(plainArguments(args))
          ? { ok: true }
          : { ok: false, errors: explainErrors(test.errors ?? [], args, hidden) };
      }),
  };
}

/** Whatever ajv or a tangled schema throws (stack, steps) refuses the arguments. */
function guarded<Result>(work: () => Result): Result | { ok: false; errors: JsonProblem[] } {
  try {
    return work();
  } catch (error) {
    const cause =
      error instanceof EndlessCompletion
        ? 'its defaults do not end'
        : 'they are too large for it, or it is too tangled';
    return { ok: false, errors: [{ path: '', message: `cannot be used with the tool's schema: ${cause}` }] };
  }
}

/** `toString` is ajv's key for a pattern: two patterns with one key would be one. */
function linearRegExp(source: string): { test: (text: string) => boolean; toString: () => string } {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Error(`pattern ${source} ${compiled.message}`);
  return { test: compiled.test, toString: () => source };
}
linearRegExp.code = 'linearRegExp';

function refused(path: string, message: string): SchemaCompilation {
  return { ok: false, errors: [{ path, message }] };
}
