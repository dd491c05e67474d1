import type { Instant } from '../shared/brand.js';
import { isAsking, lastTurn, resultOf } from './calls.js';
import { chooseModel } from './choose-model.js';
import { closeRun, endingCause } from './close-run.js';
import type { DecideContext } from './decide-context.js';
import { giveUp, isLostForGood, WORKER_LOST } from './give-up.js';
import { heldBack, judgeCall } from './judge-call.js';
import type { Run, Waits } from './run.js';
import type { RunEvent } from './run-event.js';
import type { ToolCall } from './tool-call.js';

/** What comes next for a run. `record` is folded and decided upon again; `stop` means that others have the word. */
export type Decision =
  | { readonly type: 'record'; readonly events: readonly RunEvent[] }
  | {
      readonly type: 'call_model';
      readonly choice: number;
      readonly attempt: number;
      readonly retryAfterMs: number | null;
    }
  | { readonly type: 'execute'; readonly calls: readonly ToolCall[] }
  | { readonly type: 'stop' };

/**
 * The state machine's one question: what comes next? Total and pure (invariant I3).
 *
 * 1. An effect in doubt is resolved before anything else, a cancellation included.
 * 2. An ending closes what is open, and finishes once nothing is unknown.
 * 3. Calls of the last turn are judged, one at a time, then run, then waited for.
 * 4. With a result for every call, the model is called again.
 */
export function decide(run: Run, context: DecideContext): Decision {
  if (run.status.name !== 'running') return { type: 'stop' };
  const calls = lastTurn(run)?.calls ?? [];
  const inDoubt = calls.filter((call) => call.state.status === 'executing');
  if (isLostForGood(run)) return record(giveUp(run, WORKER_LOST, context));
  if (inDoubt.length > 0) return { type: 'execute', calls: inDoubt };

  const ending = run.ending ?? endingCause(run, context);
  if (ending !== null) return record(closeRun(run, ending, context));

  for (const call of calls) {
    const events = judgeCall(run, call, context);
    if (events.length > 0) return record(events);
  }
  const ready = calls.filter((call) => isReady(call, context));
  if (ready.length > 0)
    return { type: 'execute', calls: nextBatch(ready, run.limits.maxParallelToolCalls, context) };
  if (calls.some((call) => resultOf(call) === null))
    return record([{ type: 'run.waiting', ...waitsOf(run, calls) }]);

  const next = chooseModel(run, context);
  switch (next.type) {
    case 'end':
      return record(closeRun(run, next.ending, context));
    case 'wait':
      return record([{ type: 'run.waiting', ...waitForProvider(run, next.until) }]);
    case 'call_model':
      return next;
  }
}

function waitForProvider(run: Run, breakerUntil: Instant): Waits {
  const until = Math.min(breakerUntil, run.createdAt + run.limits.maxAgeSeconds * 1000);
  return { approvals: [], toolResults: [], outcomes: [], until, why: 'provider_unavailable' };
}

function record(events: readonly RunEvent[]): Decision {
  return { type: 'record', events };
}

function isReady(call: ToolCall, context: DecideContext): boolean {
  const { state } = call;
  return (state.status === 'permitted' || state.status === 'approved') && !heldBack(call, context.now);
}

/** Reads side by side up to the limit, then writes one after another. */
function nextBatch(ready: readonly ToolCall[], limit: number, { tools }: DecideContext): readonly ToolCall[] {
  const reads = ready.filter((call) => tools.get(call.tool)?.effect === 'read');
  return reads.length > 0 ? reads.slice(0, limit) : ready.slice(0, 1);
}

/** What the run waits for, and when it goes on by itself at the latest. */
export function waitsOf(run: Run, calls: readonly ToolCall[]): Waits {
  const times = [run.createdAt + run.limits.maxAgeSeconds * 1000];
  const approvals: string[] = [];
  const outcomes: string[] = [];
  for (const call of calls) {
    const { state } = call;
    if (state.status === 'awaiting_approval') {
      approvals.push(state.approval.approvalId);
      times.push(state.approval.expiresAt);
    } else if (state.status === 'approved') {
      times.push(Math.max(state.approval.notBefore, call.held?.until ?? 0));
    } else if (isAsking(state)) {
      outcomes.push(call.id);
      times.push(state.askUntil);
    }
    if (call.held !== null && state.status !== 'approved') times.push(call.held.until);
  }
  const why = calls.some((call) => call.held !== null) ? 'intent_held' : null;
  return { approvals, toolResults: [], outcomes, until: Math.min(...times), why };
}
