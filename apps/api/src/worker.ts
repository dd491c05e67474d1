import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Definitions } from '@countersign/agent-core';
import { DefinitionRepository } from './catalog/definition.repository.js';
import { DefinitionCatalog } from './catalog/definitions.js';
import { type ClaimedRun, ClaimRepository } from './execution/claim.repository.js';
import { type ExecuteRunParts, executeRun } from './execution/execute-run.js';
import { GovernanceCache } from './execution/governance-cache.js';
import { Hands } from './execution/hands.js';
import { LeaseRepository } from './execution/lease.repository.js';
import { Leases } from './execution/leases.js';
import { Liveness } from './execution/liveness.js';
import { openOutside } from './execution/outside.js';
import { startProcessors } from './execution/processors.js';
import { SweepRepository } from './execution/sweep.repository.js';
import { startSweeper } from './execution/sweeper.js';
import { BreakerRepository } from './governance/breakers/breaker.repository.js';
import { Breakers } from './governance/breakers/breakers.js';
import { GovernanceRepository } from './governance/governance.repository.js';
import { IntentRepository } from './governance/intent.repository.js';
import { NotReady, type ReadinessCheck } from './platform/health.js';
import { startHealthServer } from './platform/health-server.js';
import {
  closeProcess,
  endOnSignal,
  failStart,
  type OpenParts,
  openProcess,
  orPortIsTaken,
} from './platform/open-process.js';
import { LedgerRepository } from './runs/ledger.repository.js';
import { egressGuardFor } from './tools/egress-guard.js';

/** For what the worker asks beside its steps. */
const POOLED = 4;
/** How long the steps under way may take after SIGTERM; what is not done by then is left to the next worker. */
const GRACE_MS = 6_000;

async function start(): Promise<void> {
  const parts = await openProcess('worker', POOLED);
  const { environment, log, checks } = parts;
  const { host, workerPort } = environment;
  let claims: ReadinessCheck | null = null;
  const probe = async (): Promise<void> => {
    if (claims === null) throw new NotReady('the worker starts');
    await claims.probe();
  };
  // It listens before it claims: a worker that cannot start takes no run with it.
  const health = await orPortIsTaken(
    'WORKER_PORT',
    workerPort,
    startHealthServer(host, workerPort, [...checks, { name: 'claims', probe }]),
  );
  // The random part makes a restarted process another worker, whatever its host is called (invariant I2).
  const worker = `${hostname()}:${randomUUID()}`;
  const work = await startWork(parts, worker);
  claims = work.check;
  log.info({ port: health.port, worker }, 'the worker works');
  endOnSignal(log, async () => {
    await work.close();
    await health.close();
    await closeProcess(parts);
  });
}

/** Claims, executes, sweeps, until `close`, which hands back or finishes what is held. */
async function startWork(
  parts: OpenParts,
  worker: string,
): Promise<{ readonly check: ReadinessCheck; close(): Promise<void> }> {
  const { environment, log, database, queue, clock } = parts;
  const leaseMs = environment.workerLeaseSeconds * 1000;
  const claims = new ClaimRepository(database, leaseMs);
  const renewals = new LeaseRepository(database, leaseMs);
  const sweeps = new SweepRepository(database);
  const rules = new GovernanceRepository(database);
  const intents = new IntentRepository(database);
  const definitions = new DefinitionCatalog(new DefinitionRepository(database));
  const leases = new Leases((runs) => renewals.renew(worker, runs), leaseMs, log);
  const hands = new Hands({
    full: () => leases.size > environment.workerConcurrency,
    heldFor: (milliseconds) => leases.heldFor(milliseconds),
    ask: (held) => renewals.handsAsked(held),
  });
  const guard = egressGuardFor(environment);
  const breakerRows = new BreakerRepository(database);
  const breakers = new Breakers({ repository: breakerRows, log });
  // What was open before this process began is open for it from its first call.
  await breakers.refresh();
  const outside = openOutside({ environment, database, guard, clock, relay: queue.relay, breakers, log });
  const liveness = new Liveness({
    patienceMs: leaseMs,
    claimableWait: () => sweeps.claimableWait(),
    busy: () => leases.size >= environment.workerConcurrency,
  });
  let stopping = false;

  const forgetBreakers = (limit: number) => breakerRows.forget(limit);
  const sweeper = startSweeper({ sweeps, breakers, forgetBreakers, queue, log });
  const execution: ExecuteRunParts = {
    ...outside,
    ledger: new LedgerRepository(database),
    leases,
    hands,
    leaseMs,
    governance: new GovernanceCache((tenant) => rules.current(tenant)),
    intents: (tenant, keys) => intents.intents(tenant, keys),
    relay: queue.relay,
    clock,
    loadDefinitions: (claimed) => definitionsOf(definitions, claimed),
    stopping: () => stopping,
    log,
  };
  const processors = startProcessors({
    queue,
    log,
    concurrency: environment.workerConcurrency,
    claim: (from) => liveness.claiming(() => claims.claim(worker, from)),
    execute: (claimed) => executeRun(execution, claimed),
  });
  return {
    check: liveness.check(),
    close: async () => {
      stopping = true;
      await sweeper.stop();
      const cut = setTimeout(() => leases.abortAll(), GRACE_MS);
      await processors.close();
      clearTimeout(cut);
      leases.stop();
      hands.stop();
      await guard.close();
    },
  };
}

function definitionsOf(
  catalog: DefinitionCatalog,
  { tenant, agent, events }: ClaimedRun,
): Promise<Definitions | null> {
  const created = events[0]?.event;
  const versions = created?.type === 'run.queued' && created.reason === 'created' ? created.toolVersions : {};
  return catalog.load(tenant, agent.name, agent.version, versions);
}

start().catch(failStart);
