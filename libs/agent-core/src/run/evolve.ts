import type { ConversationItem } from '../model/conversation.js';
import type { Usage } from '../model/model-event.js';
import type { Instant, UsdText } from '../shared/brand.js';
import { addUsd, subtractUsd } from '../shared/usd.js';
import { evolveCall, isToolCallEvent } from './evolve-call.js';
import { type FailedAttempt, type Run, type RunStatus, ranMs, type Turn } from './run.js';
import type { RunCreation, RunEvent, StoredEvent } from './run-event.js';
import { CHECKS_NOT_REACHED, type ToolCall } from './tool-call.js';

/**
 * The run after one more event (invariants I1, I3). Total: an event that does not fit the state only moves `seq`, so
 * that a finished run stays finished (I10), whatever arrives late.
 */
export function evolve(run: Run, stored: StoredEvent): Run {
  const { event, at, seq } = stored;
  const lastEventAt = Math.max(run.lastEventAt, at);
  const next = { ...run, seq, lastEventAt, claimsWithoutProgress: claimsAfter(run, event) };
  if (isToolCallEvent(event)) return settleWait(evolveCalls(next, stored), event, at);
  if (event.type === 'model.re_rated') return { ...next, ...reRated(run, event) };
  if (run.status.name === 'finished') return { ...run, seq, lastEventAt };
  switch (event.type) {
    case 'run.queued':
      return event.reason === 'timer' ? { ...next, status: { name: 'queued' } } : next;
    case 'run.started':
    case 'run.resumed':
      return { ...next, status: { name: 'running', since: at }, startedAt: run.startedAt ?? at };
    case 'run.waiting': {
      const { type: _, ...on } = event;
      const budgetWaits = event.why === 'budget_reserved' ? run.budgetWaits + 1 : run.budgetWaits;
      // What waited for a provider begins anew there: that it was tried in vain before is what the wait was for.
      const failedAttempts =
        event.why === 'provider_unavailable'
          ? run.failedAttempts.filter(({ retryable }) => !retryable)
          : run.failedAttempts;
      return { ...next, budgetWaits, failedAttempts, ...stopped(run, at, { name: 'waiting', on }) };
    }
    case 'run.handed_back':
      return { ...next, ...stopped(run, at, { name: 'queued' }) };
    case 'run.cancel_requested':
      return {
        ...next,
        cancelRequested: true,
        status: run.status.name === 'waiting' ? { name: 'queued' } : run.status,
      };
    case 'run.ending':
      return { ...next, ending: run.ending ?? { status: event.status, reason: event.reason } };
    case 'run.finished': {
      const { type: _, ...ending } = event;
      return { ...next, ...stopped(run, at, { name: 'finished', at, ...ending }) };
    }
    case 'model.responded':
      return {
        ...next,
        ...spent(run, event),
        turns: [...run.turns, turnOf(event)],
        failedAttempts: [],
        budgetWaits: 0,
      };
    case 'model.failed':
      return {
        ...next,
        ...spent(run, event),
        failedAttempts: [...run.failedAttempts, attemptOf(run, event, at)],
      };
    default:
      return event satisfies never;
  }
}

/** The fold of a run's events, oldest first. The first one must be its creation. */
export function foldRun(identity: { id: string; tenant: string }, events: readonly StoredEvent[]): Run {
  const [first, ...rest] = events;
  if (first === undefined || first.event.type !== 'run.queued' || first.event.reason !== 'created') {
    throw new Error(`run ${identity.id} has no creation among its events`);
  }
  return rest.reduce(evolve, createRun(identity, first.event, first.at));
}

/** The run as its creation leaves it: event number 1. */
export function createRun(identity: { id: string; tenant: string }, creation: RunCreation, at: Instant): Run {
  return {
    ...identity,
    seq: 1,
    lastEventAt: at,
    startedBy: creation.startedBy,
    agent: creation.agent,
    toolVersions: creation.toolVersions,
    operationId: creation.operationId,
    thread: creation.thread,
    subject: creation.subject,
    input: creation.input.map(inputItem),
    limits: creation.limits,
    budgetLimitUsd: creation.budgetLimitUsd,
    createdAt: at,
    startedAt: null,
    status: { name: 'queued' },
    ranMs: 0,
    claimsWithoutProgress: 0,
    cancelRequested: false,
    ending: null,
    turns: [],
    failedAttempts: [],
    budgetWaits: 0,
    modelCalls: 0,
    usage: NO_USAGE,
    estimated: false,
    costUsd: '0.000000' as UsdText,
    wasteUsd: '0.000000' as UsdText,
  };
}

const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

function inputItem(message: RunCreation['input'][number]): ConversationItem {
  return message.role === 'user'
    ? { role: 'user', text: message.content }
    : { role: 'assistant', text: message.content, calls: [], raw: [] };
}

/** Claims in a row that moved nothing: what a claim, a lost lease and a wake-up write is no progress. */
function claimsAfter(run: Run, event: RunEvent): number {
  switch (event.type) {
    case 'run.started':
    case 'run.resumed':
      return run.claimsWithoutProgress + 1;
    case 'run.queued':
    case 'model.re_rated':
      return run.claimsWithoutProgress;
    case 'run.handed_back':
      return event.reason === 'lease_expired' ? run.claimsWithoutProgress : 0;
    case 'model.failed':
      return event.code === 'worker_lost' ? run.claimsWithoutProgress : 0;
    default:
      return 0;
  }
}

/** Leaves `running`, keeping the time that was spent in it. */
function stopped(run: Run, at: Instant, status: RunStatus): Pick<Run, 'status' | 'ranMs'> {
  return { status, ranMs: ranMs(run, at) };
}

type AttemptEvent = Extract<RunEvent, { type: 'model.responded' | 'model.failed' }>;

function spent(
  run: Run,
  event: AttemptEvent,
): Pick<Run, 'modelCalls' | 'usage' | 'estimated' | 'costUsd' | 'wasteUsd'> {
  return {
    modelCalls: run.modelCalls + 1,
    usage: event.usage === null ? run.usage : addUsage(run.usage, event.usage),
    estimated: run.estimated || event.estimated,
    costUsd: addUsd(run.costUsd, event.costUsd),
    wasteUsd: addUsd(run.wasteUsd, event.wasteUsd),
  };
}

/** What was spent is known better: that is told of a finished run as well. */
function reRated(
  run: Run,
  { costUsd, wasteUsd, before }: Extract<RunEvent, { type: 'model.re_rated' }>,
): Pick<Run, 'costUsd' | 'wasteUsd'> {
  return {
    costUsd: addUsd(run.costUsd, subtractUsd(costUsd, before.costUsd)),
    wasteUsd: addUsd(run.wasteUsd, subtractUsd(wasteUsd, before.wasteUsd)),
  };
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}

function attemptOf(run: Run, event: Extract<RunEvent, { type: 'model.failed' }>, at: Instant): FailedAttempt {
  return {
    choice: event.choice,
    retryable: event.retryable,
    code: event.code,
    ranMs: ranMs(run, at),
    retryAfterMs: event.retryAfterMs,
  };
}

function turnOf(event: Extract<RunEvent, { type: 'model.responded' }>): Turn {
  return {
    index: event.turn,
    text: event.text,
    refusal: event.refusal,
    finish: event.finish,
    raw: event.raw,
    calls: event.calls.map(
      (call, index): ToolCall => ({
        id: call.toolCallId,
        turn: event.turn,
        index,
        tool: call.tool,
        callId: call.callId,
        providerCallId: call.providerCallId,
        proposed: call.arguments,
        checks: CHECKS_NOT_REACHED,
        held: null,
        tries: 0,
        approvalRequests: 0,
        state: { status: 'requested' },
      }),
    ),
  };
}

function evolveCalls(run: Run, stored: StoredEvent): Run {
  const id = (stored.event as { toolCallId: string }).toolCallId;
  // A call is nearly always in the last turn: look there first, so that long runs cost no more than short ones.
  for (let position = run.turns.length - 1; position >= 0; position -= 1) {
    const turn = run.turns[position] as Turn;
    const index = turn.calls.findIndex((call) => call.id === id);
    if (index === -1) continue;
    const calls = turn.calls.with(
      index,
      evolveCall(turn.calls[index] as ToolCall, stored, run.status.name === 'finished'),
    );
    return { ...run, turns: run.turns.with(position, { ...turn, calls }) };
  }
  return run;
}

/** A person's word makes a waiting run runnable: at once, or when the time to undo it is over. */
function settleWait(run: Run, event: RunEvent, at: Instant): Run {
  if (run.status.name !== 'waiting') return run;
  switch (event.type) {
    case 'approval.decided': {
      if (event.notBefore <= at) return { ...run, status: { name: 'queued' } };
      const { on } = run.status;
      return {
        ...run,
        status: {
          name: 'waiting',
          on: { ...on, until: Math.min(on.until ?? event.notBefore, event.notBefore) },
        },
      };
    }
    case 'tool.settled':
    case 'tool.succeeded':
    case 'tool.failed':
      return { ...run, status: { name: 'queued' } };
    default:
      return run;
  }
}
