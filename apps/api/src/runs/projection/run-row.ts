import { findCall, type Run, resultOf, type ToolCallStatus, type Waits } from '@countersign/agent-core';
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

/** One plain pass: it is taken with every step, over every turn of the run. */
function countCalls({ input, turns, status }: Run): CallColumns {
  const finished = status.name === 'finished';
  const used = new Set<string>();
  let toolCallCount = 0;
  let messageCount = input.length;
  for (const { text, calls, raw } of turns) {
    if (text !== '' || calls.length > 0 || raw.length > 0) messageCount += 1;
    for (const call of calls) {
      toolCallCount += 1;
      if (finished || resultOf(call) !== null) messageCount += 1;
      if (USED.has(call.state.status)) used.add(call.tool);
    }
  }
  return { toolCallCount, toolsUsed: JSON.stringify([...used]), messageCount };
}
