import {
  createRun,
  DEFAULT_RUN_LIMITS,
  type Digest,
  evolve,
  foldRun,
  type JsonText,
  type ReservationRequest,
  type Run,
  type RunCreation,
  type RunEvent,
  type Step,
  type StepOutcome,
  type StoredEvent,
  type ToolDefinition,
} from '@countersign/agent-core';
import { type ClaimedRun, ClaimRepository } from '../../apps/api/src/execution/claim.repository.js';
import { LeaseRepository } from '../../apps/api/src/execution/lease.repository.js';
import { SweepRepository } from '../../apps/api/src/execution/sweep.repository.js';
import { BudgetRepository } from '../../apps/api/src/governance/budget.repository.js';
import { GovernanceRepository } from '../../apps/api/src/governance/governance.repository.js';
import { IntentRepository } from '../../apps/api/src/governance/intent.repository.js';
import { newId } from '../../apps/api/src/platform/ids.js';
import { type Database, openPrisma } from '../../apps/api/src/platform/prisma.js';
import { type Holder, LedgerRepository } from '../../apps/api/src/runs/ledger.repository.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';

/** A database of its own with the repositories over it, as the application's role. */
export interface World {
  readonly database: TestDatabase;
  readonly prisma: Database;
  readonly ledger: LedgerRepository;
  readonly claims: ClaimRepository;
  readonly leases: LeaseRepository;
  readonly sweeps: SweepRepository;
  readonly budgets: BudgetRepository;
  readonly governance: GovernanceRepository;
  readonly intents: IntentRepository;
  close(): Promise<void>;
}

export const LEASE_MS = 30_000;

export async function openWorld(connections = 10): Promise<World> {
  const database = await cloneDatabase();
  const prisma = openPrisma({ url: database.appUrl, connections });
  return {
    database,
    prisma,
    ledger: new LedgerRepository(prisma),
    claims: new ClaimRepository(prisma, LEASE_MS),
    leases: new LeaseRepository(prisma, LEASE_MS),
    sweeps: new SweepRepository(prisma),
    budgets: new BudgetRepository(prisma),
    governance: new GovernanceRepository(prisma),
    intents: new IntentRepository(prisma),
    close: async () => {
      await prisma.$disconnect();
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
  const id = newId('run');
  const creation: RunCreation = {
    agent: { name: 'support', version: 1 },
    toolVersions: { refund: 3 },
    operationId: id,
    threadId: null,
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
  const outcome = await world.ledger.start(run, event, null);
  if (outcome.type !== 'started') throw new Error(outcome.type);
  return run;
}

export interface Held {
  readonly run: Run;
  readonly holder: Holder;
}

export const REFUND: ToolDefinition = {
  name: 'refund',
  version: 3,
  description: 'Refunds an order.',
  parameters: '{"type":"object"}' as JsonText,
  effect: 'once',
  executor: { type: 'http', url: 'https://shop.example/refund' },
  intent: ['/orderId'],
  intentScope: 'subject',
  inject: {},
  constrain: {},
  editable: null,
  fresh: false,
  timeoutMs: 10_000,
  retries: 0,
  resultMaxBytes: 16_384,
  check: null,
  money: { path: '/amount', currency: 'EUR' },
  reconcile: null,
  onUnknown: 'ask',
};

export const TOOLS: ReadonlyMap<string, ToolDefinition> = new Map([['refund', REFUND]]);

/** Claims whatever comes next. Throws where nothing does. */
export async function claim({ claims }: World, worker = 'worker-1'): Promise<Held> {
  const claimed = await claims.claim(worker);
  if (claimed === null) throw new Error('nothing to claim');
  return held(claimed);
}

export function held(claimed: ClaimedRun): Held {
  const run = foldRun({ id: claimed.runId, tenant: claimed.tenant }, claimed.events);
  return { run, holder: { fence: claimed.fence, leaseMs: LEASE_MS, tools: TOOLS } };
}

export interface StepParts {
  readonly events?: readonly RunEvent[];
  readonly settle?: Step['settle'];
  readonly reserve?: Step['reserve'];
  readonly intentions?: Step['intentions'];
  readonly revision?: number;
}

export function stepOf(before: Run, parts: StepParts): Step {
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
    governanceRevision: parts.revision ?? 1,
  };
}

/** Commits a step and gives its outcome with the run as it stands then. */
export async function commit(
  world: World,
  { run, holder }: { readonly run: Run; readonly holder: Holder | null },
  parts: StepParts,
): Promise<{ readonly outcome: StepOutcome; readonly run: Run }> {
  const step = stepOf(run, parts);
  const outcome = await world.ledger.commit(step, holder);
  return { outcome, run: outcome.type === 'committed' ? step.after : run };
}

const ATTEMPT = {
  choice: 0,
  provider: 'scripted',
  api: 'chat',
  model: 'small',
  requestDigest: `sha256:${'a'.repeat(64)}` as Digest,
  revision: { adapter: 'adapter-1', sdk: 'sdk-1' },
  priceVersion: 'price-1',
} as const;

export function reservation(amountUsd: string, modelCallId: string = newId('mdl')): ReservationRequest {
  return { ...ATTEMPT, modelCallId, startedAt: Date.now(), amountUsd };
}

export interface ReplyParts {
  readonly text?: string;
  readonly costUsd?: string;
  readonly calls?: readonly {
    readonly toolCallId: string;
    readonly arguments?: string;
    readonly tool?: string;
  }[];
  readonly turn?: number;
}

export function reply(
  modelCallId: string,
  parts: ReplyParts = {},
): Extract<RunEvent, { type: 'model.responded' }> {
  const calls = parts.calls ?? [];
  return {
    type: 'model.responded',
    ...ATTEMPT,
    modelCallId,
    turn: parts.turn ?? 1,
    responseId: 'resp-1',
    text: parts.text ?? '',
    refusal: null,
    finish: { unified: calls.length > 0 ? 'tool_calls' : 'stop', raw: 'stop' },
    raw: [],
    calls: calls.map((call, index) => ({
      toolCallId: call.toolCallId,
      callId: `call-${index}`,
      providerCallId: `call-${index}`,
      tool: call.tool ?? 'refund',
      arguments: call.arguments ?? '{"orderId":"7","amount":"12.50"}',
    })),
    usage: {
      inputTokens: 10,
      cachedInputTokens: 4,
      cacheWriteTokens: 0,
      outputTokens: 5,
      reasoningTokens: 1,
    },
    estimated: false,
    costUsd: parts.costUsd ?? '0.001000',
    wasteUsd: '0.000000',
    startedAt: Date.now(),
  };
}

export const CHECKS = {
  registered: 'passed',
  arguments: 'passed',
  scope: 'passed',
  policy: 'passed',
  credential: 'not_reached',
} as const;

export const ARGUMENTS = '{"amount":"12.50","orderId":"7"}' as JsonText;
export const ARGUMENTS_DIGEST = `sha256:${'b'.repeat(64)}` as Digest;

export function permitted(toolCallId: string): RunEvent {
  return {
    type: 'tool.permitted',
    toolCallId,
    checks: CHECKS,
    policyVersion: 1,
    policyRule: 'tenant:0',
    arguments: ARGUMENTS,
    argumentsDigest: ARGUMENTS_DIGEST,
  };
}

export function effectKey(toolCallId: string): string {
  return toolCallId.replace('tcl_', 'eff_');
}

export function startedCall(toolCallId: string, intentKey: string | null): RunEvent {
  return {
    type: 'tool.started',
    toolCallId,
    idempotencyKey: effectKey(toolCallId),
    intentKey,
    approvalId: null,
  };
}

export function intention(toolCallId: string, ...intentKeys: string[]): Step['intentions'][number] {
  return { toolCallId, idempotencyKey: effectKey(toolCallId), intentKeys, argumentsDigest: ARGUMENTS_DIGEST };
}

export function succeeded(toolCallId: string, output = '{"refunded":true}', text = output): RunEvent {
  return {
    type: 'tool.succeeded',
    toolCallId,
    output: output as JsonText,
    text,
    replayOf: null,
    bound: null,
    attempts: 1,
  };
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
