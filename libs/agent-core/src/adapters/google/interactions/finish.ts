import type { FinishReason } from '../../../model/model-event.js';

const STATUSES: ReadonlyMap<string, FinishReason['unified']> = new Map([
  ['completed', 'stop'],
  ['requires_action', 'tool_calls'],
  ['incomplete', 'max_tokens'],
  // The limit of one request was reached; we do not ask for the rest.
  ['requires_continuation', 'max_tokens'],
]);

/** Statuses of an interaction that goes on. */
const UNDER_WAY = new Set(['', 'in_progress', 'queued']);
/** Statuses that leave no reply. */
const BROKEN = new Set(['failed', 'cancelled']);

/** The closed set of endings: an unknown status is an `error`. `completed` was seen beside calls as well. */
export function finishReason(status: string, hasCalls: boolean): FinishReason {
  const unified = STATUSES.get(status) ?? 'error';
  return { unified: unified === 'stop' && hasCalls ? 'tool_calls' : unified, raw: status };
}

export function isUnderWay(status: string): boolean {
  return UNDER_WAY.has(status);
}

export function isBroken(status: string): boolean {
  return BROKEN.has(status);
}
