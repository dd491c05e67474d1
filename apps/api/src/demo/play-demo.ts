import { startRun as startRunBody } from '@countersign/contracts';
import { type DemoRun, type DemoStep, type DemoTenant, demoTenants } from '@countersign/examples';
import type { ApprovalVerbs } from '../approvals/approval-verbs.js';
import { decideApproval } from '../approvals/decide-approval.js';
import type { MemberRepository } from '../identity/member.repository.js';
import { demoShopUrl } from '../platform/demo.js';
import type { Environment } from '../platform/env.js';
import { newId } from '../platform/ids.js';
import { parseBodyText } from '../platform/json-body.js';
import type { Log } from '../platform/log.js';
import { parseContent } from '../platform/parse.js';
import { scopesOfRole } from '../platform/people.js';
import { Problem } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { cancelRun } from '../runs/cancel-run.js';
import { hasEnded, standsStill } from '../runs/mapper.js';
import type { RunRepository, RunRow } from '../runs/run.repository.js';
import type { RunVerbs } from '../runs/run-verbs.js';
import { startRun } from '../runs/start-run.js';
import { waitForRun } from '../runs/wait-for-run.js';
import type { KeyRepository } from '../tenancy/key.repository.js';
import { TENANT_IDS } from './tenant-ids.js';

export interface PlayDemoParts {
  readonly environment: Environment;
  readonly log: Log;
  readonly verbs: ApprovalVerbs & RunVerbs;
  readonly runs: Pick<RunRepository, 'list'>;
  readonly members: Pick<MemberRepository, 'list'>;
  readonly keys: Pick<KeyRepository, 'list'>;
}

const PATIENCE_SECONDS = 60;
const MEMBERS = 100;
const KEYS = 100;
const SCRIPTED_VERSION = 1;

/**
 * Starts the runs that the demo begins with, each once, and does what people did before anybody looked: decides on those
 * that somebody decided on, once they ask. What waits for whoever looks is left alone, and so is what has been decided.
 * For the process alone that has opened the shop. Never rejects.
 */
export async function playDemo(parts: PlayDemoParts, signal: AbortSignal): Promise<void> {
  const played = demoTenants(demoShopUrl(parts.environment)).map((demo) => playTenant(parts, demo, signal));
  for (const { status, reason } of await rejected(played)) {
    parts.log.warn({ err: reason, status }, 'a run of the demo was left as it is');
  }
}

async function playTenant(
  parts: PlayDemoParts,
  { slug, runs, reviewer }: DemoTenant,
  signal: AbortSignal,
): Promise<void> {
  const tenant = TENANT_IDS[slug];
  const members = await parts.members.list(tenant, { after: null, rows: MEMBERS });
  const member = members.find(({ email }) => email === reviewer);
  // The company's application posts runs, with its first key.
  const key = (await parts.keys.list(tenant, { after: null, rows: KEYS })).at(-1);
  if (member === undefined || key === undefined) return;
  const application = { tenant, actor: { type: 'key', id: key.id } } as const;
  const { id, role } = member;
  const scope: TenantScope = {
    tenant,
    actor: { type: 'member', id },
    role,
    scopes: new Set(scopesOfRole(role)),
  };
  const started: Pick<RunRow, 'tenantId' | 'id'>[] = [];
  for (const run of runs) started.push(await startOnce(parts, application, run));
  const played = started.map((run, index) => playRun(parts, scope, run, runs[index]?.next ?? null, signal));
  await Promise.all(played);
}

/** A run of the demo, whatever its agent answers with by now, begins with the script. */
async function startOnce(
  { runs, verbs }: PlayDemoParts,
  application: Pick<TenantScope, 'tenant' | 'actor'>,
  { body }: DemoRun,
): Promise<Pick<RunRow, 'tenantId' | 'id'>> {
  const { operationId } = body;
  const { tenant } = application;
  const [known] = await runs.list(tenant, { operationId }, { after: null, rows: 1 });
  if (known !== undefined) return known;
  const input = parseBodyText(JSON.stringify({ ...body, version: SCRIPTED_VERSION }));
  const { run } = await startRun(verbs, application, parseContent(startRunBody, input), newId('run'));
  return { tenantId: tenant, id: run.id };
}

async function rejected(work: readonly Promise<void>[]): Promise<readonly PromiseRejectedResult[]> {
  return (await Promise.allSettled(work)).filter((each) => each.status === 'rejected');
}

async function playRun(
  parts: PlayDemoParts,
  scope: TenantScope,
  run: Pick<RunRow, 'tenantId' | 'id'>,
  next: DemoStep | null,
  signal: AbortSignal,
): Promise<void> {
  if (next === null) return;
  const waiting = await untilItWaits(parts, run, signal);
  if (waiting === null) return;
  try {
    if (next.type === 'cancel') await cancelRun(parts.verbs, scope, run.id);
    else await decide(parts, scope, waiting, next);
  } catch (error) {
    // Another process, or whoever looks, was faster.
    if (!(error instanceof Problem)) throw error;
  }
}

/** The run once it waits for people; null where it has ended, or nobody is left to wait. */
async function untilItWaits(
  { verbs }: PlayDemoParts,
  { tenantId, id }: Pick<RunRow, 'tenantId' | 'id'>,
  signal: AbortSignal,
): Promise<RunRow | null> {
  while (!signal.aborted) {
    const run = await waitForRun(verbs, tenantId, id, PATIENCE_SECONDS, signal);
    if (run === null || hasEnded(run)) return null;
    if (standsStill(run)) return run;
  }
  return null;
}

async function decide(
  { verbs }: PlayDemoParts,
  scope: TenantScope,
  { waitingOn }: RunRow,
  { type, message, ...step }: Exclude<DemoStep, { type: 'cancel' }>,
): Promise<void> {
  const { approvals } = JSON.parse(waitingOn ?? '{"approvals":[]}') as { approvals: readonly string[] };
  const found = approvals[0] === undefined ? null : await verbs.findApproval(scope.tenant, approvals[0]);
  if (found === null) return;
  const { id, argumentsDigest } = found.approval;
  const amount = 'amount' in step ? step.amount : undefined;
  await decideApproval(verbs, scope, id, {
    decision: type,
    argumentsDigest,
    ...(message === undefined ? {} : { message }),
    ...(amount === undefined
      ? {}
      : { editedArguments: { ...(parseBodyText(found.approval.arguments) as object), amount } }),
  });
}
