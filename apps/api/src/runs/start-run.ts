import {
  type Actor,
  type AgentDefinition,
  compareUsd,
  createRun,
  type Instant,
  type JsonText,
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
import { payload } from './payload.js';
import { subjectId } from './projection/subject-id.js';
import type { Thread } from './threads/thread.repository.js';

export interface StartRunDependencies {
  readonly wake: Pick<Wake, 'runs'>;
  readonly relay: Pick<Relay, 'hint'>;
  readonly catalog: Pick<DefinitionCatalog, 'current' | 'forget'>;
  readonly ledger: Pick<LedgerRepository, 'start'>;
  readonly findThread: (tenant: string, id: string) => Promise<Thread | null>;
  /** The clock of Postgres. */
  readonly now: () => Instant;
}

/**
 * Queues a run of an agent, with the versions of agent and tools as they are now: it keeps them for its whole life.
 * In a thread it comes after the runs that are there.
 * @param id of the run.
 * @returns the run as its first event leaves it, and its metadata.
 * @throws Problem invalid_content, too_many_queued_runs, thread_busy, subject_mismatch.
 */
export async function startRun(
  dependencies: StartRunDependencies,
  { tenant, actor }: Pick<TenantScope, 'tenant' | 'actor'>,
  input: StartRun,
  id: string,
): Promise<{ readonly run: Run; readonly metadata: JsonText | null }> {
  const { catalog, ledger, wake, relay, now, findThread } = dependencies;
  refuseContradictions(input);
  const metadata = payload(input.metadata, '/metadata');
  for (;;) {
    const starting = await catalog.current(tenant, input.agent, input.version ?? null);
    if (starting === null) throw invalidContent(unknownAgent(input));
    const { threadId } = input;
    const thread = threadId === undefined ? null : await findThread(tenant, threadId);
    const creation = { ...creationOf(input, id, actor, starting), ...placeOf(input, thread) };
    const at = now();
    const run = createRun({ id, tenant }, creation, at);
    const event: RunEvent = { type: 'run.queued', reason: 'created', ...creation };
    const outcome = await ledger.start(
      run,
      { seq: 1, at, event },
      metadata,
      starting.catalogRevision,
      input.onBusy,
    );
    switch (outcome.type) {
      case 'started':
        void wake.runs();
        relay.hint({ tenant, runId: id, seq: run.seq, status: 'queued' });
        for (const cancelled of outcome.cancelled) relay.hint({ tenant, ...cancelled });
        return { run, metadata };
      case 'stale':
        catalog.forget(tenant, input.agent, input.version ?? null);
        break;
      case 'thread_moved':
        break;
      case 'thread_busy':
        throw new Problem('thread_busy', 'An earlier run of the thread has not ended.');
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
): Omit<RunCreation, 'thread' | 'subject'> {
  return {
    startedBy,
    agent: { name: input.agent, version: starting.agentVersion },
    toolVersions: starting.toolVersions,
    operationId: input.operationId ?? id,
    input: typeof input.input === 'string' ? [{ role: 'user', content: input.input }] : input.input,
    ...tightened(starting.definitions.agent, input),
  };
}

/** A run's subject, and its place in its thread. In a thread it is the thread's, save for other claims of its own. */
function placeOf(
  { threadId, subject }: StartRun,
  thread: Thread | null,
): Pick<RunCreation, 'thread' | 'subject'> {
  const own = payload(subject, '/subject');
  if (threadId === undefined) return { thread: null, subject: own };
  if (thread === null) throw invalidContent({ path: '/threadId', message: `there is no thread ${threadId}` });
  if (own !== null && subjectId(own) !== subjectId(thread.subject))
    throw new Problem('subject_mismatch', 'The thread belongs to another subject.');
  return { thread: { id: thread.id, position: thread.runs + 1 }, subject: own ?? thread.subject };
}

function refuseContradictions({ threadId, onBusy, input }: StartRun): void {
  if (threadId === undefined && onBusy !== undefined) {
    throw invalidContent({ path: '/onBusy', message: 'is about a thread: give threadId as well' });
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
