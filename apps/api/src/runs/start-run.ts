import {
  type Actor,
  type AgentDefinition,
  canonicalJson,
  compareUsd,
  createRun,
  type Instant,
  type JsonText,
  type JsonValue,
  type Run,
  type RunCreation,
  type RunEvent,
  type RunLimits,
} from '@countersign/agent-core';
import type { StartRun } from '@countersign/contracts';
import type { DefinitionCatalog, StartingDefinitions } from '../catalog/definitions.js';
import { type FieldError, invalidContent, Problem } from '../platform/problem.js';
import type { Relay } from '../platform/relay.js';
import type { TenantScope } from '../platform/tenant-context.js';
import type { Wake } from '../platform/wake.js';
import type { LedgerRepository } from './ledger.repository.js';

export interface StartRunDependencies {
  readonly wake: Pick<Wake, 'runs'>;
  readonly relay: Pick<Relay, 'hint'>;
  readonly catalog: Pick<DefinitionCatalog, 'current' | 'forget'>;
  readonly ledger: Pick<LedgerRepository, 'start'>;
  /** The clock of Postgres. */
  readonly now: () => Instant;
}

/** A run's metadata takes at most so much canonical JSON, and so does its subject. */
const CANONICAL_BYTES = 64 * 1024;

/**
 * Queues a run of an agent, with the versions of agent and tools as they are now: it keeps them for its whole life.
 * @param id of the run.
 * @returns the run as its first event leaves it, and its metadata.
 * @throws Problem invalid_content, too_many_queued_runs.
 */
export async function startRun(
  { catalog, ledger, wake, relay, now }: StartRunDependencies,
  { tenant, actor }: Pick<TenantScope, 'tenant' | 'actor'>,
  input: StartRun,
  id: string,
): Promise<{ readonly run: Run; readonly metadata: JsonText | null }> {
  refuseWhatIsMissing(input);
  const metadata = payload(input.metadata, '/metadata');
  for (;;) {
    const starting = await catalog.current(tenant, input.agent, input.version ?? null);
    if (starting === null) throw invalidContent(unknownAgent(input));
    const creation = creationOf(input, id, actor, starting);
    const at = now();
    const run = createRun({ id, tenant }, creation, at);
    const event: RunEvent = { type: 'run.queued', reason: 'created', ...creation };
    const outcome = await ledger.start(run, { seq: 1, at, event }, metadata, starting.catalogRevision);
    switch (outcome.type) {
      case 'started':
        void wake.runs();
        relay.hint({ tenant, runId: id, seq: run.seq, status: 'queued' });
        return { run, metadata };
      case 'stale':
        catalog.forget(tenant, input.agent, input.version ?? null);
        break;
      case 'queue_full':
        throw new Problem('too_many_queued_runs', 'As many runs are queued as the operator allows.', {
          headers: { 'retry-after': '5' },
        });
    }
  }
}

function creationOf(
  input: StartRun,
  id: string,
  startedBy: Actor,
  starting: StartingDefinitions,
): RunCreation {
  return {
    startedBy,
    agent: { name: input.agent, version: starting.agentVersion },
    toolVersions: starting.toolVersions,
    operationId: input.operationId ?? id,
    threadId: null,
    subject: payload(input.subject, '/subject'),
    input: typeof input.input === 'string' ? [{ role: 'user', content: input.input }] : input.input,
    ...tightened(starting.definitions.agent, input),
  };
}

/** Conversations that outlive a run are not part of this build: better a clear refusal than a run without its history. */
function refuseWhatIsMissing({ threadId, input }: StartRun): void {
  if (threadId !== undefined) {
    throw invalidContent({ path: '/threadId', message: 'threads are not available in this version' });
  }
  if (typeof input !== 'string' && input.at(-1)?.role !== 'user') {
    throw invalidContent({
      path: `/input/${input.length - 1}/role`,
      message: 'the last message is the user’s',
    });
  }
}

function unknownAgent({ agent, version }: StartRun): FieldError {
  return version === undefined
    ? { path: '/agent', message: `there is no agent ${agent}` }
    : { path: '/version', message: `there is no version ${version} of an agent ${agent}` };
}

/** The agent's limits and budget, where the caller does not set tighter ones. @throws Problem for looser ones. */
function tightened(
  agent: AgentDefinition,
  { limits = {}, budgetUsd }: StartRun,
): Pick<RunCreation, 'limits' | 'budgetLimitUsd'> {
  const errors: FieldError[] = [];
  const merged: { -readonly [Name in keyof RunLimits]: RunLimits[Name] } = { ...agent.limits };
  for (const [name, value] of Object.entries(limits) as [keyof RunLimits, number | undefined][]) {
    if (value === undefined) continue;
    const most = agent.limits[name];
    if (most === null || value <= most) merged[name] = value;
    else errors.push({ path: `/limits/${name}`, message: `may only be tightened: at most ${most}` });
  }
  if (budgetUsd !== undefined && agent.perRunUsd !== null && compareUsd(budgetUsd, agent.perRunUsd) > 0) {
    errors.push({ path: '/budgetUsd', message: `may only be tightened: at most ${agent.perRunUsd}` });
  }
  if (errors.length > 0) throw invalidContent(...errors);
  return { limits: merged, budgetLimitUsd: budgetUsd ?? agent.perRunUsd };
}

/** A payload as canonical text. The body was read losslessly, so it is a tree of JSON values. */
function payload(value: unknown, path: string): JsonText | null {
  if (value === undefined) return null;
  const text = canonicalJson(value as JsonValue);
  if (Buffer.byteLength(text) > CANONICAL_BYTES) {
    throw invalidContent({ path, message: `takes at most ${CANONICAL_BYTES} bytes of JSON` });
  }
  return text;
}
