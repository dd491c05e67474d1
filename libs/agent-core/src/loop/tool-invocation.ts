import { intentOf } from '../run/judge-intent.js';
import type { Run } from '../run/run.js';
import type { BoundArguments, ToolCall } from '../run/tool-call.js';
import type { JsonText } from '../shared/brand.js';
import { idempotencyKeyOf } from '../tools/idempotency-key.js';
import { normalizeArguments } from '../tools/normalize-arguments.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import type { ToolInvocation } from './ports.js';

/** A call as it goes out to its tool with these arguments: to be executed, checked or reconciled, under one key. */
export function invocationOf(
  run: Run,
  call: ToolCall,
  definition: ToolDefinition,
  bound: BoundArguments,
): ToolInvocation {
  const { tenant, id: runId, operationId, subject } = run;
  const idempotencyKey = keyOf(run, call, definition, bound);
  const { arguments: text } = bound;
  return { tenant, runId, operationId, subject, call, definition, arguments: text, idempotencyKey };
}

function keyOf(run: Run, call: ToolCall, definition: ToolDefinition, bound: BoundArguments): string {
  if (call.state.status === 'executing') return call.state.idempotencyKey;
  return idempotencyKeyOf({
    toolCallId: call.id,
    tenant: run.tenant,
    effect: definition.effect,
    intentKey: intentOf(run, definition, bound),
    argumentsDigest: bound.argumentsDigest,
  });
}

/** What runs, where a reviewer changed what the model had proposed; else null. The model must be told. */
export function editedArguments(
  run: Run,
  call: ToolCall,
  definition: ToolDefinition,
  bound: BoundArguments,
): JsonText | null {
  // Nobody has looked at it, so nobody has changed it.
  if (call.approvalRequests === 0) return null;
  const proposed = normalizeArguments({ definition, subject: run.subject, proposed: call.proposed });
  return proposed.type === 'ok' && proposed.bound.argumentsDigest !== bound.argumentsDigest
    ? bound.arguments
    : null;
}
