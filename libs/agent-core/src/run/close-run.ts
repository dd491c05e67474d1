import { countCalls, isAsking, lastTurn } from './calls.js';
import type { DecideContext } from './decide-context.js';
import { resultText } from './result-text.js';
import { type Ending, type EndingCode, type Run, ranMs, type Turn } from './run.js';
import type { RunEvent } from './run-event.js';
import type { ToolCall } from './tool-call.js';

/** Why the run must end now, apart from what only shows when the next call to the model is due. Null: it goes on. */
export function endingCause(run: Run, { now }: DecideContext): Ending | null {
  if (run.cancelRequested) return { status: 'cancelled', reason: null };
  if (now >= run.createdAt + run.limits.maxAgeSeconds * 1000)
    return failed('max_age_exceeded', 'The run is older than maxAgeSeconds.');
  if (ranMs(run, now) >= run.limits.deadlineSeconds * 1000)
    return failed('deadline_exceeded', 'The run ran longer than deadlineSeconds.');
  const turn = lastTurn(run);
  if (turn === null) return null;
  if (turn.calls.some(({ state }) => isAsking(state) && state.askUntil <= now)) return OUTCOME_UNKNOWN;
  return endingOfReply(turn, run);
}

export function failed(code: EndingCode, message: string): Ending {
  return { status: 'failed', reason: { code, message } };
}

const OUTCOME_UNKNOWN = failed(
  'outcome_unknown',
  'Nobody could say whether a call that was sent has happened.',
);

/** `completed` only on an explicit normal finish; every other word has an ending of its own. */
function endingOfReply(turn: Turn, run: Run): Ending | null {
  switch (turn.finish.unified) {
    case 'stop':
    case 'tool_calls':
      if (turn.calls.length === 0) {
        return turn.finish.unified === 'stop'
          ? { status: 'completed', reason: null }
          : failed('model_error', 'The model announced tool calls and made none.');
      }
      return countCalls(run) > run.limits.maxToolCalls
        ? failed(
            'tool_call_limit',
            `The run may make ${run.limits.maxToolCalls} tool calls; this turn would exceed them.`,
          )
        : null;
    case 'pause':
      return null;
    case 'refusal':
    case 'content_filter':
      return { status: 'refused', reason: null };
    case 'max_tokens':
      return {
        status: 'incomplete',
        reason: { code: 'max_tokens', message: 'The reply was cut off at its token limit.' },
      };
    case 'context_overflow':
      return {
        status: 'incomplete',
        reason: { code: 'context_overflow', message: 'The conversation no longer fits the model.' },
      };
    case 'error':
      return failed('model_error', `The model ended its reply with an unknown word: "${turn.finish.raw}".`);
  }
}

/**
 * Closes what is open for an ending: approvals and calls not yet intended are cancelled at once, and the run finishes
 * when no outcome is asked for any more. An unknown that nobody answered in time makes it `outcome_unknown`.
 */
export function closeRun(run: Run, ending: Ending, { now }: Pick<DecideContext, 'now'>): readonly RunEvent[] {
  const calls = lastTurn(run)?.calls ?? [];
  const events: RunEvent[] = calls.flatMap((call) => cancelCall(call, cancelWords(ending)));
  const asking = calls.filter(({ state }) => isAsking(state));
  const open = asking.filter(({ state }) => isAsking(state) && state.askUntil > now);
  if (open.length > 0) {
    if (run.ending === null) events.unshift({ type: 'run.ending', ...ending });
    const untils = open.map(({ state }) => (isAsking(state) ? state.askUntil : now));
    return [
      ...events,
      {
        type: 'run.waiting',
        approvals: [],
        toolResults: [],
        outcomes: open.map((call) => call.id),
        until: Math.min(...untils),
        why: null,
      },
    ];
  }
  const last = asking.length > 0 ? OUTCOME_UNKNOWN : ending;
  return [...events, { type: 'run.finished', ...last, output: outputOf(run, last) }];
}

function cancelWords(ending: Ending): string {
  switch (ending.reason?.code) {
    case 'max_tokens':
    case 'context_overflow':
    case 'model_error':
      return resultText.cutOff;
    case 'tool_call_limit':
      return resultText.tooManyCalls;
    default:
      return resultText.cancelled;
  }
}

function cancelCall(call: ToolCall, message: string): readonly RunEvent[] {
  const cancelled: RunEvent = { type: 'tool.cancelled', toolCallId: call.id, message };
  switch (call.state.status) {
    case 'awaiting_approval':
    case 'approved': {
      const { approvalId } = call.state.approval;
      return [
        { type: 'approval.cancelled', approvalId, toolCallId: call.id, reason: 'run_ending' },
        cancelled,
      ];
    }
    case 'requested':
    case 'permitted':
    case 'awaiting_client':
      return [cancelled];
    default:
      return [];
  }
}

function outputOf(run: Run, ending: Ending): string | null {
  const turn = lastTurn(run);
  if (turn === null || ending.status === 'failed' || ending.status === 'cancelled') return null;
  return ending.status === 'refused' ? (turn.refusal ?? turn.text) : turn.text;
}
