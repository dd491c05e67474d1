import type { Instant } from '../shared/brand.js';
import { intentKeyOf } from '../tools/intent.js';
import { normalizeArguments } from '../tools/normalize-arguments.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { callsBackward, rejectedCalls } from './calls.js';
import type { DecideContext, IntentRecord } from './decide-context.js';
import { deny } from './deny.js';
import { boundIn } from './evolve-call.js';
import { bindResult } from './result-binding.js';
import { resultText } from './result-text.js';
import type { Run } from './run.js';
import type { RunEvent } from './run-event.js';
import type { BoundArguments, ToolCall, ToolCallStatus } from './tool-call.js';

/** The key of a call's business intent under these arguments; null for a read, which has none. */
export function intentOf(run: Run, definition: ToolDefinition, bound: BoundArguments): string | null {
  if (definition.effect === 'read') return null;
  return intentKeyOf({
    definition,
    arguments: bound.arguments,
    subject: run.subject,
    operationId: run.operationId,
  });
}

/** The intents that judging this call will ask about: of the arguments that would run, and of those proposed before an edit. */
export function intentKeysOf(run: Run, call: ToolCall, definition: ToolDefinition): readonly string[] {
  if (definition.effect === 'read' || !MAY_BECOME_EFFECT.includes(call.state.status)) return [];
  const proposed = normalizeArguments({ definition, subject: run.subject, proposed: call.proposed });
  const bounds = [boundIn(call.state), proposed.type === 'ok' ? proposed.bound : null];
  const keys = bounds.flatMap((bound) => (bound === null ? [] : [intentOf(run, definition, bound)]));
  return [...new Set(keys)].filter((key) => key !== null);
}

const MAY_BECOME_EFFECT: readonly ToolCallStatus[] = ['requested', 'permitted', 'approved'];

/**
 * Whether the business intent is free (CONTRACT, Intent). Null: it is, for each of the given arguments; the first are
 * those that would run, the second, after an edit, those that the model proposed.
 */
export function judgeIntent(
  run: Run,
  call: ToolCall,
  definition: ToolDefinition,
  candidates: readonly BoundArguments[],
  context: DecideContext,
): readonly RunEvent[] | null {
  for (const bound of candidates) {
    const key = intentOf(run, definition, bound);
    if (key === null) return null;
    const record = ownIntent(run, key) ?? context.intents.get(key);
    if (record === undefined || record.toolCallId === call.id) continue;
    const [executed] = candidates as readonly [BoundArguments];
    return judgeRecord(run, call, definition, executed, record, context);
  }
  return null;
}

function judgeRecord(
  run: Run,
  call: ToolCall,
  definition: ToolDefinition,
  bound: BoundArguments,
  record: IntentRecord,
  context: DecideContext,
): readonly RunEvent[] {
  switch (record.state) {
    case 'succeeded': {
      if (record.argumentsDigest !== bound.argumentsDigest) {
        return denyIntent(call, context, 'intent_already_done', resultText.alreadyDone, bound);
      }
      const { output, text, toolCallId: replayOf } = record;
      const binding = bindResult(run, call, bound, { output, text });
      return [
        ...closeApproval(call),
        { type: 'tool.succeeded', toolCallId: call.id, output, text, replayOf, bound, binding, attempts: 0 },
      ];
    }
    case 'unknown':
      if (definition.onUnknown === 'tell')
        return denyIntent(call, context, 'intent_unknown', resultText.intentUnknown, bound);
      return [{ type: 'tool.held', toolCallId: call.id, until: lookAgainAt(call, context.now) }];
    case 'executing':
      return [{ type: 'tool.held', toolCallId: call.id, until: lookAgainAt(call, context.now) }];
  }
}

/** A grant whose call is answered otherwise is given back first. */
function closeApproval(call: ToolCall): readonly RunEvent[] {
  if (call.state.status !== 'approved') return [];
  const { approvalId } = call.state.approval;
  return [{ type: 'approval.cancelled', approvalId, toolCallId: call.id, reason: 'superseded' }];
}

function denyIntent(
  call: ToolCall,
  context: DecideContext,
  code: string,
  message: string,
  bound: BoundArguments,
): readonly RunEvent[] {
  return [...closeApproval(call), deny(call, context, code, message, 'policy', bound)];
}

const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 900_000;

/** Waits as long again as it has waited: short for an effect in progress, seldom for a person who is asked. */
function lookAgainAt({ held }: ToolCall, now: Instant): Instant {
  const waited = held === null ? 0 : now - held.since;
  return now + Math.min(LAST_LOOK_MS, Math.max(FIRST_LOOK_MS, waited));
}

/** What this run itself did or is doing under that intent: it may not be committed yet. */
function ownIntent(run: Run, key: string): IntentRecord | null {
  for (const { id, state } of callsBackward(run)) {
    if (!('intentKey' in state) || state.intentKey !== key) continue;
    if (state.status === 'succeeded' && state.replayOf === null) {
      const { argumentsDigest } = state.bound;
      return {
        state: 'succeeded',
        toolCallId: id,
        argumentsDigest,
        output: state.output,
        text: state.result.text,
      };
    }
    if (state.status === 'executing' || state.status === 'unknown')
      return { state: state.status, toolCallId: id };
  }
  return null;
}

/** A rejected intent is refused for the rest of the run without asking; three rejections close the tool for the run. */
export function judgeRejections(
  run: Run,
  call: ToolCall,
  definition: ToolDefinition,
  bound: BoundArguments,
  context: DecideContext,
): readonly RunEvent[] | null {
  const key = intentOf(run, definition, bound) ?? bound.argumentsDigest;
  const rejections = rejectedCalls(run).filter(({ tool }) => tool === call.tool);
  const sameIntent = rejections.some(({ state }) => {
    const rejected = boundIn(state);
    return rejected !== null && (intentOf(run, definition, rejected) ?? rejected.argumentsDigest) === key;
  });
  if (sameIntent) {
    return [deny(call, context, 'intent_rejected', resultText.alreadyRejected, 'policy', bound)];
  }
  return rejections.length >= 3
    ? [deny(call, context, 'tool_rejected', resultText.toolRejected(call.tool), 'policy', bound)]
    : null;
}
