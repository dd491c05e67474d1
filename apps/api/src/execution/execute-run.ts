import {
  type Abandonment,
  abandonRun,
  type Definitions,
  failed,
  foldRun,
  isLostForGood,
  type LoopEnd,
  type LoopPorts,
  type ReservationRequest,
  type Run,
  runLoop,
  type Step,
  type StepOutcome,
  type ToolInvocation,
  type ToolOutcome,
  threadHistory,
  WORKER_LOST,
} from '@countersign/agent-core';
import type { Clock } from '../platform/clock.js';
import { DatabaseError } from '../platform/database-error.js';
import { newId } from '../platform/ids.js';
import type { Log } from '../platform/log.js';
import type { Relay } from '../platform/relay.js';
import type { LedgerRepository } from '../runs/ledger.repository.js';
import { statusWord } from '../runs/status-word.js';
import type { ClaimedRun } from './claim.repository.js';
import type { GovernanceCache } from './governance-cache.js';
import type { Hands } from './hands.js';
import type { Lease, Leases } from './leases.js';

export interface ExecuteRunParts {
  readonly ledger: LedgerRepository;
  readonly leases: Leases;
  readonly hands: Pick<Hands, 'gives'>;
  readonly leaseMs: number;
  readonly governance: GovernanceCache;
  readonly intents: LoopPorts['governance']['intents'];
  readonly models: LoopPorts['models'];
  readonly tools: LoopPorts['tools'];
  readonly breakers: LoopPorts['breakers'];
  readonly relay: Pick<Relay, 'hint'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Null where there are none any more. */
  readonly loadDefinitions: (claimed: ClaimedRun) => Promise<Definitions | null>;
  /** True once the worker takes no more work: runs are handed back at the next step boundary. */
  readonly stopping: () => boolean;
  readonly log: Log;
}

/**
 * Works on a claimed run until it waits, ends, is handed back or lost. Never rejects: what fails here (Postgres away,
 * a fault of ours) lets the lease run out, and the run is taken up again from its events. What can never succeed ends
 * the run instead: it would only be paid for again.
 *
 * @returns whether there is a run that nobody is woken for: this one, given back, or one that it made room for
 */
export async function executeRun(parts: ExecuteRunParts, claimed: ClaimedRun): Promise<boolean> {
  const lease = parts.leases.hold(claimed);
  const about = { tenant: claimed.tenant, runId: claimed.runId };
  const work = new Work(parts, lease);
  try {
    const end = await workOn(parts, claimed, work);
    if (end.type === 'lost') parts.log.warn(about, 'a run was lost to another worker');
  } catch (error) {
    parts.log.error({ err: error, ...about }, 'a run was given up until its lease ends');
  } finally {
    parts.leases.release(lease);
  }
  return work.leftMore;
}

async function workOn(parts: ExecuteRunParts, claimed: ClaimedRun, work: Work): Promise<LoopEnd> {
  const run = foldRun({ id: claimed.runId, tenant: claimed.tenant }, claimed.events);
  parts.relay.hint({ tenant: run.tenant, runId: run.id, seq: run.seq, status: 'running' });
  const definitions = await definitionsFor(parts, claimed, run);
  if (definitions === null) return work.abandon(run, isLostForGood(run) ? WORKER_LOST : AGENT_GONE);
  work.tools = definitions.tools;
  try {
    const past = run.thread === null ? [] : await parts.ledger.pastRuns(run.tenant, run.thread);
    return await runLoop(run, { ...definitions, history: threadHistory(past) }, work.ports());
  } catch (error) {
    if (!canNeverSucceed(error) && !isLostForGood(run)) throw error;
    parts.log.error({ err: error, tenant: run.tenant, runId: run.id }, 'a run ends: it cannot be worked on');
    return work.abandon(run, isLostForGood(run) ? WORKER_LOST : STEP_REFUSED);
  }
}

const AGENT_GONE = failed('agent_invalid', 'The version of the agent that the run began with is gone.');
const STEP_REFUSED = failed('internal', 'A step of the run could not be recorded, and never can be.');

function canNeverSucceed(error: unknown): boolean {
  return error instanceof DatabaseError && (error.kind === 'refused' || error.kind === 'duplicate');
}

/** A run whose definitions cannot be read is tried as often as one that loses its worker; then it counts as without. */
async function definitionsFor(
  parts: ExecuteRunParts,
  claimed: ClaimedRun,
  run: Run,
): Promise<Definitions | null> {
  try {
    return await parts.loadDefinitions(claimed);
  } catch (error) {
    if (!isLostForGood(run)) throw error;
    parts.log.error({ err: error, tenant: run.tenant, runId: run.id }, 'a run ends: it has no definitions');
    return null;
  }
}

/** The outside of one run in the hands of this worker. */
class Work {
  /** The model call that is reserved for and not settled yet. */
  private open: ReservationRequest | null = null;
  /** Of the agent that the run began with; none until they are known. */
  tools: Definitions['tools'] = new Map();
  /** A run was left that nobody is woken for; so it is taken to be until this one is given away. */
  leftMore = true;

  constructor(
    private readonly parts: ExecuteRunParts,
    private readonly lease: Lease,
  ) {}

  ports(): LoopPorts {
    const { parts, lease } = this;
    return {
      ledger: this.ledger(),
      governance: { current: (tenant) => parts.governance.current(tenant), intents: parts.intents },
      models: parts.models,
      tools: loggedTools(parts),
      breakers: parts.breakers,
      now: () => parts.clock.now(),
      newId,
      signal: lease.signal,
      shouldYield: () => (parts.stopping() ? 'shutdown' : this.yields() ? 'yielded' : null),
    };
  }

  private yields(): boolean {
    return this.parts.leases.yields(this.lease) || this.parts.hands.gives(this.lease);
  }

  abandon(run: Run, ending: Abandonment['ending']): Promise<LoopEnd> {
    const { tools, open } = this;
    return abandonRun(
      run,
      { ending, tools, open },
      { ledger: this.ledger(), now: () => this.parts.clock.now() },
    );
  }

  private ledger(): LoopPorts['ledger'] {
    return {
      commit: (step) => this.commit(step),
      eventsAfter: (run, seq) => this.parts.ledger.eventsAfter(run, seq),
    };
  }

  private async commit(step: Step): Promise<StepOutcome> {
    const { ledger, governance, relay, leaseMs } = this.parts;
    const outcome = await ledger.commit(step, this.tools, { fence: this.lease.fence, leaseMs });
    if (outcome.type === 'governance_changed') governance.forget(this.lease.tenant);
    if (outcome.type !== 'committed') return outcome;
    this.leftMore = outcome.more || ['running', 'queued'].includes(step.after.status.name);
    if (step.settle !== null) this.open = null;
    if (outcome.reservation === 'granted') this.open = step.reserve;
    if (step.events.length > 0) {
      const { tenant, id: runId, seq, status } = step.after;
      relay.hint({ tenant, runId, seq, status: statusWord(status) });
    }
    return outcome;
  }
}

/** What a tool's own trouble was goes to the log, by code: its words may be anybody's secret. */
function loggedTools({ tools, log }: ExecuteRunParts): LoopPorts['tools'] {
  const logged = <Outcome extends ToolOutcome | null>(
    { tenant, runId, call }: ToolInvocation,
    outcome: Outcome,
  ): Outcome => {
    if (outcome?.type === 'unknown' || (outcome?.type === 'failed' && outcome.infrastructure)) {
      const code = outcome.type === 'unknown' ? 'outcome_unknown' : outcome.code;
      const { attempts } = outcome;
      log.warn({ tenant, runId, toolCallId: call.id, tool: call.tool, code, attempts }, 'a tool call failed');
    }
    return outcome;
  };
  return {
    compute: (invocation) => logged(invocation, tools.compute(invocation)),
    prepare: async (invocation) => {
      const prepared = await tools.prepare(invocation);
      return {
        ...prepared,
        execute: async (signal, attempts) => logged(invocation, await prepared.execute(signal, attempts)),
      };
    },
  };
}
