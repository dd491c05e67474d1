import {
  evolve,
  foldRun,
  type Instant,
  type Run,
  type RunEvent,
  type Step,
  type StoredEvent,
} from '@countersign/agent-core';
import type { DefinitionCatalog } from '../catalog/definitions.js';
import { notFound, Problem } from '../platform/problem.js';
import type { Relay } from '../platform/relay.js';
import type { Wake } from '../platform/wake.js';
import type { CommitOutcome, ToolsOfRun } from './ledger.repository.js';
import { statusWord } from './status-word.js';

/** The ledger as verbs from outside use it: without a lease, guarded by the expected seq alone. */
export interface AmendLedger {
  /** Every event of a run, oldest first; none where there is no such run. */
  events(tenant: string, runId: string): Promise<readonly StoredEvent[]>;
  commit(step: Step, tools: ToolsOfRun): Promise<CommitOutcome>;
}

export interface AmendDependencies {
  readonly ledger: AmendLedger;
  readonly catalog: Pick<DefinitionCatalog, 'load'>;
  readonly wake: Pick<Wake, 'runs'>;
  readonly relay: Pick<Relay, 'hint'>;
  /** The clock of Postgres. */
  readonly now: () => Instant;
}

const NO_TOOLS: ToolsOfRun = new Map();

/** How often somebody else may get in between before the caller is told to try again. */
const TRIES = 10;

/**
 * Appends what `amend` makes of a run as it stands, in one transaction, and wakes whoever has to go on with it. Where
 * somebody else appended meanwhile, `amend` is asked again about the run as it stands then: of two who decide at once,
 * the second sees the first's decision. No events: nothing is written.
 * @returns the run with the events appended.
 * @throws Problem not_found, or conflict where the run never stood still.
 */
export async function amendRun(
  dependencies: AmendDependencies,
  { tenant, runId }: { readonly tenant: string; readonly runId: string },
  amend: (run: Run, now: Instant) => Promise<readonly RunEvent[]> | readonly RunEvent[],
): Promise<Run> {
  const { ledger, catalog, now } = dependencies;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const history = await ledger.events(tenant, runId);
    if (history.length === 0) throw notFound('run');
    const before = foldRun({ id: runId, tenant }, history);
    const at = Math.max(now(), before.lastEventAt);
    const events = (await amend(before, at)).map((event, index): StoredEvent => {
      return { seq: before.seq + index + 1, at, event };
    });
    if (events.length === 0) return before;
    const after = events.reduce(evolve, before);
    const definitions = await catalog.load(
      tenant,
      before.agent.name,
      before.agent.version,
      before.toolVersions,
    );
    const outcome = await ledger.commit(stepOf(before, after, events), definitions?.tools ?? NO_TOOLS);
    if (outcome.type === 'committed') {
      announce(dependencies, after, outcome.more);
      return after;
    }
  }
  throw new Problem('conflict', 'The run kept changing at the same time. Try again.');
}

/** Facts and decisions of people: nothing is intended, reserved or settled, so no revision of rules is held against them. */
function stepOf(before: Run, after: Run, events: readonly StoredEvent[]): Step {
  return { events, before, after, settle: null, reserve: null, intentions: [], governanceRevision: null };
}

/** Tells those who watch, and wakes a worker where there may be work. The answer does not wait for either. */
function announce({ wake, relay }: Pick<AmendDependencies, 'wake' | 'relay'>, run: Run, more: boolean): void {
  relay.hint({ tenant: run.tenant, runId: run.id, seq: run.seq, status: statusWord(run.status) });
  if (more || run.status.name === 'queued') void wake.runs();
}
