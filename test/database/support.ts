import {
  createRun,
  DEFAULT_RUN_LIMITS,
  evolve,
  foldRun,
  type JsonText,
  type Run,
  type RunCreation,
  type RunEvent,
  type Step,
  type StepOutcome,
  type StoredEvent,
} from '@countersign/agent-core';
import { type ClaimedRun, ClaimRepository } from '../../apps/api/src/execution/claim.repository.js';
import { LeaseRepository } from '../../apps/api/src/execution/lease.repository.js';
import { SweepRepository } from '../../apps/api/src/execution/sweep.repository.js';
import { BudgetRepository } from '../../apps/api/src/governance/budget.repository.js';
import { GovernanceRepository } from '../../apps/api/src/governance/governance.repository.js';
import { IntentRepository } from '../../apps/api/src/governance/intent.repository.js';
import { type Database, openDatabase } from '../../apps/api/src/platform/database.js';
import type { PrismaClient } from '../../apps/api/src/platform/generated/client.js';
import { newId } from '../../apps/api/src/platform/ids.js';
import { openPrisma } from '../../apps/api/src/platform/prisma.js';
import {
  type Holder,
  LedgerRepository,
  type OnBusy,
  type StartOutcome,
} from '../../apps/api/src/runs/ledger.repository.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';

import { intention, permitted, reply, startedCall, TOOLS } from './events.js';

/** A database of its own with the repositories over it, as the application's role. */
export interface World {
  readonly database: TestDatabase;
  /** The application's connections, and Prisma over them. */
  readonly connections: Database;
  readonly prisma: PrismaClient;
  readonly ledger: LedgerRepository;
  readonly claims: ClaimRepository;
  readonly leases: LeaseRepository;
  readonly sweeps: SweepRepository;
  readonly budgets: BudgetRepository;
  readonly governance: GovernanceRepository;
  readonly intents: IntentRepository;
  /** Empties every table: as good as a new world, but what its connections have compiled is kept. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const LEASE_MS = 30_000;

const EMPTY_ALL = `DO $$ BEGIN
  EXECUTE (SELECT 'TRUNCATE ' || string_agg(quote_ident(tablename), ', ') FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> '_prisma_migrations');
END $$`;

export async function openWorld(pooled = 10): Promise<World> {
  const database = await cloneDatabase();
  const connections = openDatabase({ url: database.appUrl, pooled });
  const prisma = openPrisma(connections);
  return {
    database,
    connections,
    prisma,
    ledger: new LedgerRepository(connections),
    claims: new ClaimRepository(connections, LEASE_MS),
    leases: new LeaseRepository(connections, LEASE_MS),
    sweeps: new SweepRepository(connections),
    budgets: new BudgetRepository(connections),
    governance: new GovernanceRepository(connections),
    intents: new IntentRepository(connections),
    clear: async () => {
      await database.query(EMPTY_ALL);
    },
    close: async () => {
      await connections.end();
      await database.drop();
    },
  };
}

/** A new tenant's id. `fields` as the operator gives them. */
export async function makeTenant({ prisma }: World, fields: object = {}): Promise<string> {
  const tenant = newId('ten');
  const row = JSON.stringify({ slug: tenant, name: 'Tenant', ...fields });
  const id = newId('key');
  const key = JSON.stringify({
    id,
    name: 'first',
    keyHash: `hash of ${id}`,
    prefix: 'cs_',
    scopes: ['admin'],
  });
  await prisma.$queryRaw`SELECT operator_create_tenant(${tenant}, ${row}, ${key})`;
  return tenant;
}

export async function patchTenant({ prisma }: World, tenant: string, fields: object): Promise<void> {
  await prisma.$queryRaw`SELECT operator_patch_tenant(${tenant}, ${JSON.stringify(fields)})`;
}

/** Starts a run of the agent `support` for the subject `customer-1`. */
export async function start(world: World, tenant: string, given: Partial<RunCreation> = {}): Promise<Run> {
  const { outcome, run } = await post(world, tenant, given);
  if (outcome.type !== 'started') throw new Error(outcome.type);
  return run;
}

/** What becomes of such a run, whether it is started or not. */
export async function post(
  world: World,
  tenant: string,
  given: Partial<RunCreation>,
  onBusy?: OnBusy,
): Promise<{ readonly run: Run; readonly outcome: StartOutcome }> {
  const id = newId('run');
  const creation: RunCreation = {
    startedBy: { type: 'key', id: 'key_1' },
    agent: { name: 'support', version: 1 },
    toolVersions: { refund: 3 },
    operationId: id,
    thread: null,
    subject: '{"id":"customer-1"}' as JsonText,
    input: [{ role: 'user', content: 'Please go on.' }],
    limits: DEFAULT_RUN_LIMITS,
    budgetLimitUsd: null,
    ...given,
  };
  const event: StoredEvent = {
    seq: 1,
    at: Date.now(),
    event: { type: 'run.queued', reason: 'created', ...creation },
  };
  const run = createRun({ id, tenant }, creation, event.at);
  const [catalog] = await world.database.query<{ revision: number }>(
    'SELECT catalog_revision AS revision FROM tenants WHERE id = $1',
    [tenant],
  );
  return { run, outcome: await world.ledger.start(run, event, null, catalog?.revision ?? 0, onBusy) };
}

export interface Held {
  readonly run: Run;
  readonly holder: Holder;
}

/** Claims whatever comes next. Throws where nothing does. */
export async function claim({ claims }: World, worker = 'worker-1'): Promise<Held> {
  const claimed = await claims.claim(worker);
  if (claimed === null) throw new Error('nothing to claim');
  return held(claimed);
}

export function held(claimed: ClaimedRun): Held {
  const run = foldRun({ id: claimed.runId, tenant: claimed.tenant }, claimed.events);
  return { run, holder: { fence: claimed.fence, leaseMs: LEASE_MS } };
}

export interface StepParts {
  readonly events?: readonly RunEvent[];
  readonly settle?: Step['settle'];
  readonly reserve?: Step['reserve'];
  readonly intentions?: Step['intentions'];
  readonly revision?: number | null;
}

function stepOf(before: Run, parts: StepParts): Step {
  const events = (parts.events ?? []).map((event, index) => ({
    seq: before.seq + index + 1,
    at: Date.now(),
    event,
  }));
  return {
    events,
    before,
    after: events.reduce(evolve, before),
    settle: parts.settle ?? null,
    reserve: parts.reserve ?? null,
    intentions: parts.intentions ?? [],
    governanceRevision: parts.revision === undefined ? 1 : parts.revision,
  };
}

/** Commits a step and gives its outcome with the run as it stands then. */
export async function commit(
  world: World,
  { run, holder }: { readonly run: Run; readonly holder: Holder | null },
  parts: StepParts,
): Promise<{ readonly outcome: StepOutcome; readonly run: Run }> {
  const step = stepOf(run, parts);
  const outcome = await world.ledger.commit(step, TOOLS, holder);
  return { outcome, run: outcome.type === 'committed' ? step.after : run };
}

/** A run whose reply has one call that is permitted and about to be performed under this intent. */
export async function intend(
  world: World,
  at: Held,
  intentKey: string,
  toolCallId: string = newId('tcl'),
): Promise<{ readonly outcome: StepOutcome; readonly held: Held; readonly toolCallId: string }> {
  const { outcome, run } = await commit(world, at, {
    events: [
      reply(newId('mdl'), { calls: [{ toolCallId }] }),
      permitted(toolCallId),
      startedCall(toolCallId, intentKey),
    ],
    intentions: [intention(toolCallId, intentKey)],
  });
  return { outcome, held: { ...at, run }, toolCallId };
}
