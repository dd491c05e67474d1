import type {
  JsonText,
  PastRun,
  Run,
  RunEvent,
  Step,
  StepOutcome,
  StoredEvent,
  ThreadPlace,
  ToolDefinition,
} from '@countersign/agent-core';
import { callFunction, callLongFunction, type Database } from '../platform/database.js';
import {
  compositeRows,
  EVENT_COLUMNS,
  MESSAGE_COLUMNS,
  MODEL_CALL_COLUMNS,
  TOOL_CALL_COLUMNS,
} from './projection/composite-rows.js';
import { project, projectStart } from './projection.js';

/** The lease under which a worker appends. */
export interface Holder {
  readonly fence: string;
  /** Each step renews the lease for so long. */
  readonly leaseMs: number;
}

/** The definitions that a run began with, by name. */
export type ToolsOfRun = ReadonlyMap<string, ToolDefinition>;

export type StartOutcome =
  /** `now` is Postgres's time; `cancelled` are runs of the thread that were asked to end, as they stand now. */
  | { readonly type: 'started'; readonly now: number; readonly cancelled: readonly CancelledRun[] }
  /** An earlier run of the thread is open, and that was to be refused. */
  | { readonly type: 'thread_busy' }
  /** Another run took this place in the thread. */
  | { readonly type: 'thread_moved' }
  /** The tenant has as many queued runs as its operator allows. */
  | { readonly type: 'queue_full' }
  /** The run was made from versions of an older catalog than there is. */
  | { readonly type: 'stale' };

/** What becomes of a run that is posted while an earlier one of its thread is open. */
export type OnBusy = 'queue' | 'reject' | 'cancel_previous';

export interface CancelledRun {
  readonly runId: string;
  readonly seq: number;
  readonly status: 'queued' | 'running';
}

/** Runs of one tenant that may wait for a worker (CONTRACT, Rate limits). */
const QUEUED_RUNS = 10_000;

/**
 * The one writer of runs (invariants I1, I2): events, and every row that follows from them, in one statement a step.
 * Nothing here throws but DatabaseError.
 */
export class LedgerRepository {
  constructor(private readonly database: Database) {}

  /** Writes a run that `created` (its event number 1) began, with versions from the catalog at that revision. */
  async start(
    run: Run,
    created: StoredEvent,
    metadata: JsonText | null,
    catalogRevision: number,
    onBusy: OnBusy = 'queue',
  ): Promise<StartOutcome> {
    const { messages, ...row } = projectStart(run, created, metadata);
    const answer = await callFunction<string>(this.database, 'start_run', {
      tenant: run.tenant,
      run: run.id,
      queueCeiling: QUEUED_RUNS,
      catalogRevision,
      onBusy,
      ...row,
      messages: compositeRows(MESSAGE_COLUMNS, messages),
    });
    const { outcome, ...rest } = JSON.parse(answer) as StartJson;
    return outcome === 'started' ? { type: outcome, ...rest } : { type: outcome };
  }

  /**
   * Appends a step after the last event that its run is known to have. A worker appends as the holder of the lease,
   * which this renews; a verb from outside without one, guarded by the expected seq alone.
   */
  async commit(step: Step, tools: ToolsOfRun, holder: Holder | null = null): Promise<CommitOutcome> {
    const { tenant, id, seq } = step.before;
    const { run, revision, ...rows } = project(step, tools);
    const answer = await callFunction<string>(this.database, 'commit_step', {
      tenant,
      run: id,
      expectedSeq: seq,
      fence: holder?.fence ?? null,
      leaseMs: holder?.leaseMs ?? 0,
      revision,
      ...run,
      freedThread: step.after.status.name === 'finished' ? (step.before.thread?.id ?? null) : null,
      events: compositeRows(EVENT_COLUMNS, rows.events),
      messages: compositeRows(MESSAGE_COLUMNS, rows.messages),
      modelCalls: compositeRows(MODEL_CALL_COLUMNS, rows.modelCalls),
      toolCalls: compositeRows(TOOL_CALL_COLUMNS, rows.toolCalls),
      changedCalls: json(rows.changedCalls),
      changedMessages: json(rows.changedMessages),
      approvals: json(rows.approvals),
      effects: json(rows.effects),
      intents: json(rows.intents),
      effectOutcomes: json(rows.effectOutcomes),
      settleCall: step.settle?.modelCallId ?? null,
      settleCost: step.settle?.costUsd ?? null,
      reserve: step.reserve?.amountUsd ?? null,
      openModelCall: step.reserve === null ? null : JSON.stringify(step.reserve),
    });
    const { outcome, ...rest } = JSON.parse(answer) as { outcome: CommitOutcome['type'] };
    return { type: outcome, ...rest } as CommitOutcome;
  }

  /** The run's newest events: those with a number above `seq`, oldest first. */
  async eventsAfter(
    { tenant, id }: Pick<Run, 'tenant' | 'id'>,
    seq: number,
  ): Promise<readonly StoredEvent[]> {
    // From the beginning it is a whole history; else it is few.
    if (seq === 0) return this.events(tenant, id);
    return parseEvents(
      await callFunction<string>(this.database, 'load_events', { tenant, run: id, after: seq }),
    );
  }

  /** Every event of a run, oldest first; none where there is no such run. */
  async events(tenant: string, runId: string): Promise<readonly StoredEvent[]> {
    return parseEvents(
      await callLongFunction<string>(this.database, 'load_events', { tenant, run: runId, after: 0 }),
    );
  }

  /** What the runs before this place in a thread recorded, oldest run first. */
  async pastRuns(tenant: string, { id, position }: ThreadPlace): Promise<readonly PastRun[]> {
    const given = { tenant, thread: id, before: position };
    const text = await callLongFunction<string>(this.database, 'thread_events', given);
    const runs = JSON.parse(text) as { readonly runId: string; readonly events: EventJson[] }[];
    return runs.map(({ runId, events }) => ({ id: runId, tenant, events: storedEvents(events) }));
  }
}

/** `more`: the run made room for another, in its thread or among those of its tenant, that nobody is woken for. */
export type CommitOutcome =
  | Exclude<StepOutcome, { type: 'committed' }>
  | (Extract<StepOutcome, { type: 'committed' }> & { readonly more: boolean });

interface StartJson {
  readonly outcome: StartOutcome['type'];
  readonly now: number;
  readonly cancelled: readonly CancelledRun[];
}

function json(rows: object | undefined): string | null {
  return rows === undefined ? null : JSON.stringify(rows);
}

/** An event as events_json in prisma/migrations writes it. */
export interface EventJson {
  readonly seq: number;
  readonly type: string;
  readonly at: number;
  readonly data: object;
}

function parseEvents(text: string): readonly StoredEvent[] {
  return storedEvents(JSON.parse(text) as EventJson[]);
}

/** Events as they are folded. What is stored was written from RunEvents, so it is taken for one. */
export function storedEvents(rows: readonly EventJson[]): readonly StoredEvent[] {
  return rows.map(({ seq, type, at, data }) => ({ seq, at, event: { type, ...data } as RunEvent }));
}
