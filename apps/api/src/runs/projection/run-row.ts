import {
  findCall,
  foldOnce,
  type Run,
  resultOf,
  type ToolCallStatus,
  type Turn,
  type Waits,
} from '@countersign/agent-core';
import { jsonColumn, plainTextOrNull } from './plain-text.js';

/** The columns of a run that a step writes. Instants in milliseconds. */
export interface RunColumns extends StatusColumns, CallColumns {
  readonly turnCount: number;
  readonly modelCallCount: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly estimated: boolean;
  readonly costUsd: string;
  readonly wasteUsd: string;
  readonly runningMsLeft: number;
  readonly startedAt: number | null;
}

interface StatusColumns {
  readonly status: string;
  readonly reasonCode: string | null;
  readonly reasonMessage: string | null;
  /** JSON text in CONTRACT's shape. */
  readonly waitingOn: string | null;
  /** JSON text of a string. */
  readonly output: string | null;
  readonly wakeAt: number | null;
  readonly finishedAt: number | null;
  readonly deadlineAt: number | null;
}

interface CallColumns {
  readonly toolCallCount: number;
  /** JSON text: the tools whose calls came as far as to be run or answered, in the order of their first use. */
  readonly toolsUsed: string;
  /** The messages that stand so far: a call without a result has none yet. */
  readonly messageCount: number;
}

/** A run's row as the fold of its events leaves it. */
export function runRow(run: Run): RunColumns {
  return {
    ...statusColumns(run),
    turnCount: run.turns.length,
    modelCallCount: run.modelCalls,
    ...countCalls(run),
    ...run.usage,
    estimated: run.estimated,
    costUsd: run.costUsd,
    wasteUsd: run.wasteUsd,
    runningMsLeft: runningMsLeft(run),
    startedAt: run.startedAt,
  };
}

/** Running time before the deadline, as of the beginning of the current stretch. Fits the column's 32 bits. */
export function runningMsLeft(run: Pick<Run, 'limits' | 'ranMs'>): number {
  return Math.min(Math.max(0, run.limits.deadlineSeconds * 1000 - run.ranMs), 2_147_483_647);
}

function statusColumns(run: Run): StatusColumns {
  const { status } = run;
  switch (status.name) {
    case 'running':
      return { ...NO_STATUS, status: status.name, deadlineAt: status.since + runningMsLeft(run) };
    case 'waiting':
      return {
        ...NO_STATUS,
        status: status.name,
        waitingOn: waitingOn(run, status.on),
        wakeAt: status.on.until,
      };
    case 'finished':
      return {
        ...NO_STATUS,
        status: status.status,
        finishedAt: status.at,
        output: status.output === null ? null : JSON.stringify(status.output),
        reasonCode: status.reason?.code ?? null,
        reasonMessage: plainTextOrNull(status.reason?.message ?? null),
      };
    case 'queued':
      return { ...NO_STATUS, status: status.name };
  }
}

const NO_STATUS = {
  reasonCode: null,
  reasonMessage: null,
  waitingOn: null,
  output: null,
  wakeAt: null,
  finishedAt: null,
  deadlineAt: null,
};

/** The text is put together by hand, so that the arguments in it keep every digit. */
function waitingOn(run: Run, on: Waits): string {
  const toolResults = on.toolResults.map((id) => {
    const call = findCall(run, id);
    const args = call !== null && 'arguments' in call.state ? jsonColumn(call.state.arguments) : 'null';
    const tool = JSON.stringify(call?.tool ?? '');
    return `{"toolCallId":${JSON.stringify(id)},"tool":${tool},"arguments":${args}}`;
  });
  const until = on.until === null ? null : new Date(on.until).toISOString();
  return (
    `{"approvals":${JSON.stringify(on.approvals)},"toolResults":[${toolResults.join(',')}],` +
    `"outcomes":${JSON.stringify(on.outcomes)},"until":${JSON.stringify(until)},"why":${JSON.stringify(on.why)}}`
  );
}

const USED: ReadonlySet<ToolCallStatus> = new Set([
  'executing',
  'awaiting_client',
  'succeeded',
  'failed',
  'unknown',
]);

function countCalls({ input, turns, status }: Run): CallColumns {
  const { calls, said, open, used } = counted(turns);
  // Who has ended says something of every call.
  const results = status.name === 'finished' ? calls : calls - open;
  return {
    toolCallCount: calls,
    toolsUsed: JSON.stringify([...used]),
    messageCount: input.length + said + results,
  };
}

/** What the turns of a run hold; `said` are replies with anything in them, `open` calls without a result. */
interface Counted {
  readonly calls: number;
  readonly said: number;
  readonly open: number;
  readonly used: ReadonlySet<string>;
}

function counted(turns: Run['turns']): Counted {
  const [before, last] = [countedOnce(turns.slice(0, -1)), turns.at(-1)];
  return last === undefined ? before : countedWith(before, last);
}

/** A long run does not count its past again with each step. */
const countedOnce = foldOnce<Turn, Counted>(
  () => ({ calls: 0, said: 0, open: 0, used: new Set() }),
  countedWith,
);

function countedWith(before: Counted, { text, calls, raw }: Turn): Counted {
  const used = calls.filter(({ state }) => USED.has(state.status)).map(({ tool }) => tool);
  return {
    calls: before.calls + calls.length,
    said: before.said + (text !== '' || calls.length > 0 || raw.length > 0 ? 1 : 0),
    open: before.open + calls.filter((call) => resultOf(call) === null).length,
    used: used.every((tool) => before.used.has(tool)) ? before.used : new Set([...before.used, ...used]),
  };
}
