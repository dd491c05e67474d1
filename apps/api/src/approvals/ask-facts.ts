import { type FactsOutcome, findCall, foldRun, invocationOf, type ToolPort } from '@countersign/agent-core';
import type { DefinitionCatalog } from '../catalog/definitions.js';
import type { AmendLedger } from '../runs/amend-run.js';
import type { ApprovalRow } from './approval.repository.js';
import { definitionsOf } from './definitions-of.js';

export interface AskFactsDependencies {
  readonly ledger: Pick<AmendLedger, 'events'>;
  readonly catalog: Pick<DefinitionCatalog, 'load'>;
  readonly tools: Pick<ToolPort, 'prepare'>;
}

/** A card is shown without facts rather than late. */
const PATIENCE_MS = 5_000;

/** The facts behind a pending approval as of now. Null where its tool has no check, or nothing is asked any more. */
export async function askFacts(
  { ledger, catalog, tools }: AskFactsDependencies,
  approval: ApprovalRow,
  signal: AbortSignal,
): Promise<FactsOutcome | null> {
  if (approval.status !== 'pending') return null;
  const identity = { id: approval.runId, tenant: approval.tenantId };
  const run = foldRun(identity, await ledger.events(identity.tenant, identity.id));
  const call = findCall(run, approval.toolCallId);
  if (call?.state.status !== 'awaiting_approval') return null;
  const { definition } = await definitionsOf(catalog, run, call);
  if (definition.check === null) return null;
  const invocation = invocationOf(run, call, definition, call.state);
  const { check } = await tools.prepare(invocation);
  return check(AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
}
