import type { JsonPointer, JsonText } from '../shared/brand.js';
import { isJsonObject, type JsonValue, parseJson, readJson } from '../shared/json.js';
import type { JsonProblem } from '../shared/json-problem.js';
import { isWithin, pointerBelow, pointerSteps } from '../shared/pointer.js';
import { compileSchema } from './argument-schema.js';
import { type BoundArguments, bindArguments } from './bound-arguments.js';
import { injectFromSubject, outOfScope } from './subject-arguments.js';
import type { ToolDefinition } from './tool-definition.js';

export interface ArgumentsProposal {
  readonly definition: ToolDefinition;
  /** The run's subject as JSON text. */
  readonly subject: JsonText | null;
  /** The arguments as the model wrote them, or as an editor sends them; may be no JSON at all. */
  readonly proposed: string;
}

export type NormalizedArguments =
  | { readonly type: 'ok'; readonly bound: BoundArguments }
  /** The model can do something about it: `message` says what, field by field. Paths are JSON pointers. */
  | { readonly type: 'arguments'; readonly message: string; readonly errors: readonly JsonProblem[] }
  /** The call steps out of what the run's subject allows. */
  | { readonly type: 'scope'; readonly message: string };

/**
 * Turns proposed arguments into those that policy, digest and tool see: parsed (no text counts as `{}`), injected
 * arguments overwritten, nulls of optional fields removed, the schema's defaults filled in, validated, and held against
 * the subject. Digits survive: only the validator sees doubles. Deterministic; never throws, whatever the text is.
 */
export function normalizeArguments({
  definition,
  subject,
  proposed,
}: ArgumentsProposal): NormalizedArguments {
  const parsed = parseJson(proposed.trim() === '' ? '{}' : proposed);
  if (!parsed.ok) return refused([parsed.error], 'the arguments are not valid JSON');
  if (!isJsonObject(parsed.value))
    return refused([{ path: '', message: 'the arguments must be a JSON object' }], null);
  const compiled = compileSchema(definition.parameters);
  if (!compiled.ok) return refused(compiled.errors, "the tool's own schema cannot be used");

  const about = subjectOf(subject);
  const injected = injectFromSubject(definition, parsed.value, about);
  if (!injected.ok) return { type: 'scope', message: injected.message };
  const completion = compiled.schema.complete(injected.args);
  if (!completion.ok) return refused(completion.errors, null);
  const { args } = completion;
  const validation = compiled.schema.validate(args, Object.keys(definition.inject));
  if (!validation.ok) return judgeErrors(definition, validation.errors);
  const violation = outOfScope(definition, args, about);
  return violation === null
    ? { type: 'ok', bound: bindArguments(args) }
    : { type: 'scope', message: violation };
}

function subjectOf(subject: JsonText | null): JsonValue {
  return subject === null ? null : readJson(subject);
}

/** Errors in what was injected are not the model's, and would tell it what it must not see. */
function judgeErrors(definition: ToolDefinition, errors: readonly JsonProblem[]): NormalizedArguments {
  const own = errors.filter(({ path }) => !isInjected(definition, path));
  if (own.length > 0) return refused(own, null);
  const names = Object.keys(definition.inject).join(', ');
  return {
    type: 'scope',
    message: `what the application fills in (${names}) does not fit the tool's schema`,
  };
}

function isInjected(definition: ToolDefinition, path: JsonPointer): boolean {
  return Object.keys(definition.inject).some((name) => isWithin(path, pointerBelow('', name)));
}

function refused(errors: readonly JsonProblem[], about: string | null): NormalizedArguments {
  const sentences = errors.map(sentence).join('; ');
  return { type: 'arguments', message: about === null ? sentences : `${about}: ${sentences}`, errors };
}

/** `orderId is required`, `items[0].price: must be a number (got "9")`. */
function sentence({ path, message }: JsonProblem): string {
  if (path === '') return message;
  return message.startsWith('is ') ? `${nameAt(path)} ${message}` : `${nameAt(path)}: ${message}`;
}

function nameAt(path: JsonPointer): string {
  const names = pointerSteps(path).map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`));
  return names.join('').replace(/^\./, '');
}
