import {
  findCall,
  type Run,
  type Step,
  type StoredEvent,
  sameCall,
  type ToolCall,
} from '@countersign/agent-core';
import { plainText } from './plain-text.js';

/** An effect that is about to be performed. Milliseconds. */
export interface EffectRow {
  readonly id: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly intentKeys: readonly string[];
  readonly argumentsDigest: string;
  readonly intendedAt: number;
}

/** An intent that a call is about to hold. */
export interface IntentRow {
  readonly intentKey: string;
  readonly toolCallId: string;
  readonly effectId: string;
}

/** What became of an effect; its intents follow it, and are free again where it failed. */
export interface EffectOutcome {
  readonly id: string;
  readonly state: 'unknown' | 'succeeded' | 'failed';
  readonly settledAt: number;
}

export function effectRows({ intentions, after, events }: Step): readonly EffectRow[] {
  const intendedAt = events.at(-1)?.at ?? after.createdAt;
  return intentions.map(({ toolCallId, idempotencyKey, intentKeys, argumentsDigest }) => {
    const tool = plainText(findCall(after, toolCallId)?.tool ?? '');
    return { id: idempotencyKey, toolCallId, tool, intentKeys, argumentsDigest, intendedAt };
  });
}

export function intentRows({ intentions }: Step): readonly IntentRow[] {
  return intentions.flatMap(({ toolCallId, idempotencyKey, intentKeys }) =>
    [...new Set(intentKeys)].map((intentKey) => ({ intentKey, toolCallId, effectId: idempotencyKey })),
  );
}

/**
 * Outcomes of calls that hold an intent, one for each effect: what the step leaves it in. An effect that the step begins
 * anew has none. A read, and an answer from the record, have no effect to settle.
 */
export function effectOutcomes({ before, after, events }: Step): readonly EffectOutcome[] {
  const started = new Map<string, string>();
  const outcomes = new Map<string, EffectOutcome>();
  for (const { event, at } of events) {
    if (event.type === 'tool.started' && event.intentKey !== null) {
      started.set(event.toolCallId, event.idempotencyKey);
      outcomes.delete(event.idempotencyKey);
    }
    const state = stateAfter(event);
    if (state === null || !('toolCallId' in event)) continue;
    const id = started.get(event.toolCallId) ?? heldKey(before, findCall(after, event.toolCallId));
    if (id !== null) outcomes.set(id, { id, state, settledAt: at });
  }
  return [...outcomes.values()];
}

function stateAfter(event: StoredEvent['event']): EffectOutcome['state'] | null {
  switch (event.type) {
    case 'tool.succeeded':
      return 'succeeded';
    case 'tool.failed':
      return 'failed';
    case 'tool.unknown':
      return 'unknown';
    case 'tool.settled':
      return event.outcome === 'happened' ? 'succeeded' : 'failed';
    default:
      return null;
  }
}

function heldKey(before: Run, call: ToolCall | null): string | null {
  const state = call === null ? undefined : sameCall(before, call)?.state;
  if (state === undefined || !('idempotencyKey' in state)) return null;
  return state.intentKey === null ? null : state.idempotencyKey;
}
