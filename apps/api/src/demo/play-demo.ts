import { type DemoRun, type DemoStep, type DemoTenant, demoTenants } from '@countersign/examples';
import type { ApprovalVerbs } from '../approvals/approval-verbs.js';
import { decideApproval } from '../approvals/decide-approval.js';
import type { MemberRepository } from '../identity/member.repository.js';
import { demoShopUrl } from '../platform/demo.js';
import type { Environment } from '../platform/env.js';
import { parseBodyText } from '../platform/json-body.js';
import type { Log } from '../platform/log.js';
import { scopesOfRole } from '../platform/people.js';
import { Problem } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { cancelRun } from '../runs/cancel-run.js';
import { hasEnded, standsStill } from '../runs/mapper.js';
import type { RunRepository, RunRow } from '../runs/run.repository.js';
import { waitForRun } from '../runs/wait-for-run.js';
import { TENANT_IDS } from './tenant-ids.js';

export interface PlayDemoParts {
  readonly environment: Environment;
  readonly log: Log;
  readonly verbs: ApprovalVerbs & Parameters<typeof waitForRun>[0];
  readonly runs: Pick<RunRepository, 'list'>;
  readonly members: Pick<MemberRepository, 'list'>;
}

const PATIENCE_SECONDS = 60;
const MEMBERS = 100;

/**
 * Does what people did in the demo before anybody looked: decides on runs of the seed that somebody decided on, once
 * they ask. What waits for whoever looks is left alone, and so is what has been decided. Never rejects.
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
  if (member === undefined) return;
  const { id, role } = member;
  const scope: TenantScope = {
    tenant,
    actor: { type: 'member', id },
    role,
    scopes: new Set(scopesOfRole(role)),
  };
  await Promise.all(runs.map((run) => playRun(parts, scope, run, signal)));
}

async function rejected(work: readonly Promise<void>[]): Promise<readonly PromiseRejectedResult[]> {
  return (await Promise.allSettled(work)).filter((each) => each.status === 'rejected');
}

async function playRun(
  parts: PlayDemoParts,
  scope: TenantScope,
  { body, next }: DemoRun,
  signal: AbortSignal,
): Promise<void> {
  if (next === null) return;
  const [run] = await parts.runs.list(
    scope.tenant,
    { operationId: body.operationId },
    { after: null, rows: 1 },
  );
  if (run === undefined) return;
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
  { tenantId, id }: RunRow,
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
