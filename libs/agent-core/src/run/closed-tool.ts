import { foldOnce } from '../shared/fold-once.js';
import type { DecideContext } from './decide-context.js';
import { resultText } from './result-text.js';
import type { Run, Turn } from './run.js';
import type { RunEvent } from './run-event.js';
import type { ToolCall } from './tool-call.js';

/** A tool that fails so many times running is closed for the rest of the run (CONTRACT, Budgets and breakers). */
const FAILURES_RUNNING = 3;

/** Failures that say nothing of the tool: it judged the arguments, or its worker was lost. */
const NOT_THE_TOOLS_FAULT: ReadonlySet<string> = new Set(['arguments_refused', 'worker_lost']);

export interface ClosedTool {
  readonly code: 'tool_withdrawn' | 'tool_disabled' | 'breaker_open';
  readonly message: string;
}

/**
 * Why no call of this tool may run any more in this run; null where it may. A closed tool stays in the list that the
 * model is given: the beginning of the request stays as it was, which is what providers cache, and a history that has
 * calls of the tool stays valid. The model learns it from the failure that closed the tool and from each denial.
 */
export function closedTool(
  run: Run,
  tool: string,
  { governance }: Pick<DecideContext, 'governance'>,
): ClosedTool | null {
  if (governance.withdrawn.has(tool)) return { code: 'tool_withdrawn', message: resultText.withdrawn(tool) };
  return failsRunning(run, tool, null)
    ? { code: 'tool_disabled', message: resultText.disabled(tool, FAILURES_RUNNING) }
    : null;
}

/**
 * Why no call of this tool is sent for the time being: its circuit breaker is open for the whole tenant. Null where it is
 * closed, or where the time has come to try. A question that a person has open stays open: by the answer it may be closed.
 */
export function brokenTool(
  tool: string,
  { breakers, now }: Pick<DecideContext, 'breakers' | 'now'>,
): ClosedTool | null {
  const until = breakers.tools.get(tool);
  return until !== undefined && until > now ? breakerOpen(tool) : null;
}

/** What is said of a call that a circuit breaker holds back. */
export function breakerOpen(tool: string): ClosedTool {
  return { code: 'breaker_open', message: resultText.breakerOpen(tool) };
}

/** Adds to the words of a failure that it has closed its tool, so that the model need not try once more to learn it. */
export function tellWhatCloses(run: Run, events: readonly RunEvent[]): readonly RunEvent[] {
  return events.map((event) => {
    if (event.type !== 'tool.failed' || NOT_THE_TOOLS_FAULT.has(event.code)) return event;
    const call = run.turns.at(-1)?.calls.find(({ id }) => id === event.toolCallId);
    if (call === undefined || !failsRunning(run, call.tool, call.id)) return event;
    return { ...event, message: `${event.message}\n${resultText.nowDisabled(call.tool, FAILURES_RUNNING)}` };
  });
}

/**
 * Whether the tool failed three times running, in the order of the calls; `failing` is a call that has just failed.
 * Calls that run still stand between others like a success, so that what is said once stays true whatever becomes of
 * them. Denials, and answers from the record, say nothing of the tool.
 */
function failsRunning({ turns }: Run, tool: string, failing: string | null): boolean {
  let running = failuresBefore(turns.slice(0, -1)).get(tool) ?? 0;
  for (const call of turns.at(-1)?.calls ?? []) {
    if (call.tool === tool) running = failuresAfter(running, call, failing);
  }
  return running >= FAILURES_RUNNING;
}

/** By tool: a long run does not count its past again for each call. */
const failuresBefore = foldOnce<Turn, Map<string, number>>(
  () => new Map(),
  (failures, { calls }) => {
    for (const call of calls) {
      failures.set(call.tool, failuresAfter(failures.get(call.tool) ?? 0, call, null));
    }
    return failures;
  },
);

/** Failures running once a call has come after so many. What has closed the tool stays. */
function failuresAfter(running: number, call: ToolCall, failing: string | null): number {
  if (running >= FAILURES_RUNNING) return running;
  if (call.id === failing || hasFailed(call)) return running + 1;
  return hasRun(call) ? 0 : running;
}

function hasFailed({ state }: ToolCall): boolean {
  return state.status === 'failed' && !NOT_THE_TOOLS_FAULT.has(state.code);
}

function hasRun({ state }: ToolCall): boolean {
  switch (state.status) {
    case 'succeeded':
      return state.replayOf === null;
    case 'executing':
    case 'unknown':
      return true;
    default:
      return false;
  }
}
