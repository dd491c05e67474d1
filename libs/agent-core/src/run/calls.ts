import type { Instant } from '../shared/brand.js';
import { foldOnce } from '../shared/fold-once.js';
import { errorResult, resultText } from './result-text.js';
import type { Run, Turn } from './run.js';
import type { CallResult, ToolCall, ToolCallState } from './tool-call.js';

/** Questions about the calls of a run. All pure; none costs more than the calls it looks at. */

export function lastTurn(run: Run): Turn | null {
  return run.turns.at(-1) ?? null;
}

/** Newest first. An array, since judging goes through it some times a turn and a generator costs ten times as much. */
export function callsBackward(run: Run): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  for (let turn = run.turns.length - 1; turn >= 0; turn -= 1) {
    const made = (run.turns[turn] as Turn).calls;
    for (let index = made.length - 1; index >= 0; index -= 1) calls.push(made[index] as ToolCall);
  }
  return calls;
}

export function findCall(run: Run, toolCallId: string): ToolCall | null {
  // A call is nearly always in the last turn: look there first.
  for (let turn = run.turns.length - 1; turn >= 0; turn -= 1) {
    const found = (run.turns[turn] as Turn).calls.find(({ id }) => id === toolCallId);
    if (found !== undefined) return found;
  }
  return null;
}

/** A call as another state of its run has it; null where it was not made yet. Its place never changes. */
export function sameCall(run: Run, { turn, index }: ToolCall): ToolCall | null {
  return run.turns[turn - 1]?.calls[index] ?? null;
}

export function countCalls(run: Run): number {
  return run.turns.reduce((sum, turn) => sum + turn.calls.length, 0);
}

/** Calls that a person has rejected, oldest first. A long run does not look for them anew with each of its calls. */
export function rejectedCalls({ turns }: Run): readonly ToolCall[] {
  return [...rejectedBefore(turns.slice(0, -1)), ...(turns.at(-1)?.calls ?? []).filter(isRejected)];
}

const rejectedBefore = foldOnce<Turn, ToolCall[]>(
  () => [],
  (rejected, { calls }) => {
    rejected.push(...calls.filter(isRejected));
    return rejected;
  },
);

function isRejected({ state }: ToolCall): boolean {
  return state.status === 'denied' && state.code === 'approval_rejected';
}

/** What the model reads of a call, or null while nothing can be said yet. */
export function resultOf(call: ToolCall): CallResult | null {
  const { state } = call;
  switch (state.status) {
    case 'denied':
    case 'succeeded':
    case 'failed':
    case 'unknown':
    case 'cancelled':
      return state.result;
    default:
      return null;
  }
}

/** The result as it stands in a finished conversation: every call has exactly one (invariant I11). */
export function finalResultOf(call: ToolCall): CallResult {
  return (
    resultOf(call) ??
    errorResult(call.state.status === 'unknown' ? resultText.unanswered : resultText.cancelled)
  );
}

/** A call whose outcome a person is asked for. */
export function isAsking(
  state: ToolCallState,
): state is Extract<ToolCallState, { status: 'unknown' }> & { askUntil: Instant } {
  return state.status === 'unknown' && state.askUntil !== null;
}

const DENIALS_THAT_COUNT: ReadonlySet<string> = new Set([
  'policy_denied',
  'out_of_scope',
  'intent_already_done',
  'intent_unknown',
  'intent_rejected',
  'tool_rejected',
  'approval_rejected',
]);

/**
 * After five denials in a row or twenty in a run, a person is asked about each further call of the run (CONTRACT,
 * Agents): what people then approve does not end it.
 */
export function deniedTooOften(run: Run): boolean {
  let total = 0;
  let inRow = 0;
  for (const { state } of callsBackward(run)) {
    if (state.status === 'denied' && DENIALS_THAT_COUNT.has(state.code)) {
      total += 1;
      inRow += 1;
    } else if (state.status === 'succeeded' || state.status === 'failed') {
      inRow = 0;
    }
    if (inRow >= 5 || total >= 20) return true;
  }
  return false;
}
