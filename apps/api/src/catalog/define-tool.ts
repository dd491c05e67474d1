import {
  compileSchema,
  type JsonObject,
  type JsonText,
  type JsonValue,
  type ToolDefinition,
  type ToolExecutor,
} from '@countersign/agent-core';
import type { ToolPut } from '@countersign/contracts';
import { payloadText, payloadValue } from '../platform/json-body.js';
import { type FieldError, invalidContent, Problem } from '../platform/problem.js';
import { headerFault } from '../tools/tool-secrets.js';

const SCHEMA_BYTES = 64 * 1024;
const SCHEMA_DEPTH = 32;
const TIMEOUT_MS = 10_000;
const CLIENT_TIMEOUT_MS = 86_400_000;
/** Longer than this an HTTP exchange is not kept open; a client's call may wait for a month. */
const LONGEST_TIMEOUT_MS = 3_600_000;
const RETRIES = 2;
const RESULT_BYTES = 16_384;

/**
 * A tool as a request brings it, checked and with every default filled in (CONTRACT, Tools).
 * @param handlers names of the builtin handlers that this deployment has.
 * @throws Problem invalid_content, executor_unavailable.
 */
export function defineTool(
  name: string,
  version: number,
  input: ToolPut,
  handlers: ReadonlySet<string>,
): ToolDefinition {
  const parameters = payloadText(input.parameters);
  const errors = [
    ...schemaErrors(parameters, payloadValue(input.parameters)),
    ...executorErrors(input, handlers),
    ...pointerErrors(input),
    ...timingErrors(input),
  ];
  if (errors.length > 0) throw invalidContent(...errors);
  return {
    name,
    version,
    description: input.description,
    parameters,
    effect: input.effect,
    executor: executorOf(input),
    intent: input.intent ?? null,
    intentScope: input.intentScope ?? (input.intent === undefined ? 'operation' : 'subject'),
    inject: input.inject ?? {},
    constrain: input.constrain ?? {},
    editable: input.editable ?? null,
    fresh: input.fresh ?? false,
    timeoutMs: input.timeoutMs ?? (input.executor.type === 'client' ? CLIENT_TIMEOUT_MS : TIMEOUT_MS),
    retries: input.effect === 'once' ? 0 : (input.retries ?? RETRIES),
    resultMaxBytes: input.resultMaxBytes ?? RESULT_BYTES,
    check: input.check ?? null,
    money: input.money ?? null,
    reconcile: input.reconcile ?? null,
    onUnknown: input.onUnknown ?? 'ask',
  };
}

function executorOf({ executor }: ToolPut): ToolExecutor {
  if (executor.type === 'http') return { type: 'http', url: executor.url };
  if (executor.type === 'builtin') return executor;
  throw new Problem('executor_unavailable', `This deployment performs no ${executor.type} tools.`, {
    errors: [{ path: '/executor/type', message: 'takes http or builtin in this deployment' }],
  });
}

function schemaErrors(text: JsonText, schema: JsonValue): readonly FieldError[] {
  const fault = (message: string): readonly FieldError[] => [{ path: '/parameters', message }];
  if (Buffer.byteLength(text) > SCHEMA_BYTES) return fault('takes at most 64 KiB');
  if (depthOf(schema) > SCHEMA_DEPTH) return fault(`takes at most ${SCHEMA_DEPTH} levels`);
  const compiled = compileSchema(text);
  if (compiled.ok) return [];
  return compiled.errors.map(({ path, message }) => ({ path: `/parameters${path}`, message }));
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value as JsonObject);
  return 1 + members.reduce((deepest: number, member) => Math.max(deepest, depthOf(member)), 0);
}

function executorErrors(
  { executor, check, reconcile }: ToolPut,
  handlers: ReadonlySet<string>,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (executor.type === 'builtin' && !handlers.has(executor.handler)) {
    errors.push({ path: '/executor/handler', message: `takes one of ${[...handlers].join(', ')}` });
  }
  if (executor.type === 'http') {
    const fault = headerFault(executor.headers ?? {});
    if (fault !== null) errors.push({ path: `/executor/headers/${fault.name}`, message: fault.message });
    errors.push(...urlErrors('/executor/url', executor.url));
  }
  return [...errors, ...urlErrors('/check/url', check?.url), ...urlErrors('/reconcile/url', reconcile?.url)];
}

/** Credentials in an address would be stored and shown in plain sight. */
function urlErrors(path: string, url: string | undefined): readonly FieldError[] {
  if (url === undefined) return [];
  const { username, password } = new URL(url);
  return username === '' && password === '' ? [] : [{ path, message: 'takes no user name or password' }];
}

/** A pointer that can lead nowhere would make all calls one intent, or hide the money that they move. */
function pointerErrors(input: ToolPut): readonly FieldError[] {
  const known = knownArguments(input);
  if (known === null) return [];
  const pointers = [
    ...(input.intent ?? []).map((pointer, index) => [`/intent/${index}`, pointer] as const),
    ...(input.editable ?? []).map((pointer, index) => [`/editable/${index}`, pointer] as const),
    ...(input.money === undefined ? [] : [['/money/path', input.money.path] as const]),
    ...Object.keys(input.constrain ?? {}).map((name) => [`/constrain/${name}`, `/${name}`] as const),
  ];
  return pointers
    .filter(([, pointer]) => !known.has(firstStep(pointer)))
    .map(([path, pointer]) => ({ path, message: `${pointer} is none of the parameters` }));
}

/** Names of the arguments that a call can have; null where the schema does not list them plainly. */
function knownArguments(input: ToolPut): ReadonlySet<string> | null {
  const schema = payloadValue(input.parameters) as JsonObject;
  const { properties } = schema;
  const listed = typeof properties === 'object' && properties !== null && !Array.isArray(properties);
  const composed = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'if'].some(
    (key) => key in schema,
  );
  if (!listed || composed) return null;
  return new Set([...Object.keys(properties), ...Object.keys(input.inject ?? {})]);
}

function firstStep(pointer: string): string {
  return (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

function timingErrors({ effect, retries, executor, timeoutMs }: ToolPut): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (effect === 'once' && retries !== undefined && retries > 0) {
    errors.push({ path: '/retries', message: 'a tool that runs once is never retried' });
  }
  if (executor.type !== 'client' && timeoutMs !== undefined && timeoutMs > LONGEST_TIMEOUT_MS) {
    errors.push({ path: '/timeoutMs', message: `takes at most ${LONGEST_TIMEOUT_MS}` });
  }
  return errors;
}
