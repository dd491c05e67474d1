import {
  type Definitions,
  foldRun,
  type LoopPorts,
  runLoop,
  type Step,
  type StepOutcome,
  type ToolInvocation,
  type ToolOutcome,
} from '@countersign/agent-core';
import type { Clock } from '../platform/clock.js';
import { newId } from '../platform/ids.js';
import type { Log } from '../platform/log.js';
import type { Relay } from '../platform/relay.js';
import type { LedgerRepository } from '../runs/ledger.repository.js';
import { statusWord } from '../runs/status-word.js';
import type { ClaimedRun } from './claim.repository.js';
import type { GovernanceCache } from './governance-cache.js';
import type { Lease, Leases } from './leases.js';

export interface ExecuteRunParts {
  readonly ledger: LedgerRepository;
  readonly leases: Leases;
  readonly leaseMs: number;
  readonly governance: GovernanceCache;
  readonly intents: LoopPorts['governance']['intents'];
  readonly models: LoopPorts['models'];
  readonly tools: LoopPorts['tools'];
  readonly relay: Pick<Relay, 'hint'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly loadDefinitions: (claimed: ClaimedRun) => Promise<Definitions>;
  /** True once the worker takes no more work: runs are handed back at the next step boundary. */
  readonly stopping: () => boolean;
  readonly log: Log;
}

/**
 * Works on a claimed run until it waits, ends, is handed back or lost. Never rejects: what fails here (Postgres away,
 * a fault of ours) lets the lease run out, and the run is taken up again from its events.
 */
export async function executeRun(parts: ExecuteRunParts, claimed: ClaimedRun): Promise<void> {
  const lease = parts.leases.hold(claimed);
  try {
    const definitions = await parts.loadDefinitions(claimed);
    const run = foldRun({ id: claimed.runId, tenant: claimed.tenant }, claimed.events);
    parts.relay.hint({ tenant: run.tenant, runId: run.id, seq: run.seq, status: 'running' });
    const end = await runLoop(run, definitions, portsOf(parts, lease, definitions));
    if (end.type === 'lost')
      parts.log.warn({ tenant: claimed.tenant, runId: claimed.runId }, 'a run was lost to another worker');
  } catch (error) {
    parts.log.error(
      { err: error, tenant: claimed.tenant, runId: claimed.runId },
      'a run was given up until its lease ends',
    );
  } finally {
    parts.leases.release(lease);
  }
}

function portsOf(parts: ExecuteRunParts, lease: Lease, { tools }: Definitions): LoopPorts {
  const { ledger, governance, relay, leaseMs } = parts;
  const commit = async (step: Step): Promise<StepOutcome> => {
    const outcome = await ledger.commit(step, tools, { fence: lease.fence, leaseMs });
    if (outcome.type === 'governance_changed') governance.forget(lease.tenant);
    if (outcome.type === 'committed' && step.events.length > 0) {
      const { tenant, id: runId, seq, status } = step.after;
      relay.hint({ tenant, runId, seq, status: statusWord(status) });
    }
    return outcome;
  };
  return {
    ledger: { commit, eventsAfter: (run, seq) => ledger.eventsAfter(run, seq) },
    governance: { current: (tenant) => governance.current(tenant), intents: parts.intents },
    models: parts.models,
    tools: loggedTools(parts),
    now: () => parts.clock.now(),
    newId,
    signal: lease.signal,
    shouldYield: () => (parts.stopping() ? 'shutdown' : parts.leases.yields(lease) ? 'yielded' : null),
  };
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
    ...tools,
    compute: (invocation) => logged(invocation, tools.compute(invocation)),
    execute: async (invocation, signal) => logged(invocation, await tools.execute(invocation, signal)),
  };
}
