import type { Governance } from '../run/decide-context.js';
import { evolve } from '../run/evolve.js';
import type { Run } from '../run/run.js';
import type { RunEvent, StoredEvent } from '../run/run-event.js';
import type { Instant } from '../shared/brand.js';
import type { Intention, LoopPorts, ReservationRequest, Settlement, StepOutcome } from './ports.js';

interface Entry {
  readonly stored: StoredEvent;
  /** A fact happened outside and must be kept; a decision is only taken again when the run has moved meanwhile. */
  readonly kind: 'fact' | 'decision';
}

/**
 * The run as the loop sees it: what is committed, and what is recorded but not committed yet. Nothing in here is
 * visible to anybody before `commit`, so the loop commits before each thing that reaches the outside (invariants I2,
 * I4, I5): an intended effect, a reserved model call, a wait, an end.
 */
export class Journal {
  private committed: Run;
  private entries: readonly Entry[] = [];
  private settlement: Settlement | null = null;
  private decidedBy: number | null = null;
  private folded: Run;
  /** True once a commit was told that the lease is somebody else's: nothing of this run may be touched any more. */
  lost = false;

  constructor(
    run: Run,
    private readonly ports: Pick<LoopPorts, 'ledger' | 'now'>,
  ) {
    this.committed = run;
    this.folded = run;
  }

  /** The committed run with everything recorded since. */
  get run(): Run {
    return this.folded;
  }

  /** The time by the clock of Postgres; never before what the run has already seen (readings of it differ a little). */
  now(): Instant {
    return Math.max(this.ports.now(), this.folded.lastEventAt);
  }

  /** Records what was decided by these rules. Dropped again if the run, or the rules, move before it is committed. */
  decide(events: readonly RunEvent[], { revision }: Governance): void {
    // The oldest rules that anything here was decided by are the ones that must still hold.
    this.decidedBy ??= revision;
    this.append('decision', events);
  }

  /** Records what happened outside; `settlement` books the model call that it tells of. */
  observe(events: readonly RunEvent[], settlement: Settlement | null = null): void {
    this.append('fact', events);
    this.settlement = settlement ?? this.settlement;
  }

  /**
   * Makes everything recorded durable in one transaction, together with the intentions and the reservation. Unless
   * it is committed (or the lease is lost), decisions are forgotten and facts kept: decide again.
   */
  async commit(
    governance: Governance,
    outward: { readonly reserve?: ReservationRequest; readonly intentions?: readonly Intention[] } = {},
  ): Promise<StepOutcome> {
    const { reserve = null, intentions = [] } = outward;
    const outcome = await this.ports.ledger.commit({
      events: this.entries.map((entry) => entry.stored),
      before: this.committed,
      after: this.folded,
      settle: this.settlement,
      reserve,
      intentions,
      governanceRevision: this.decidedBy ?? (reserve === null ? null : governance.revision),
    });
    if (outcome.type === 'committed') {
      this.committed = this.folded;
      this.entries = [];
      this.settlement = null;
      this.decidedBy = null;
    } else if (outcome.type === 'lost') {
      this.lost = true;
    } else {
      await this.takeBack(outcome.type === 'moved');
    }
    return outcome;
  }

  /**
   * Commits what is recorded, where there is anything, before something that takes long: nobody should have to book or
   * repeat what is known already. False: look at the run again.
   */
  async flush(governance: Governance): Promise<boolean> {
    return this.entries.length === 0 || (await this.commit(governance)).type === 'committed';
  }

  private append(kind: Entry['kind'], events: readonly RunEvent[]): void {
    const at = this.now();
    for (const event of events) {
      const stored = { seq: this.folded.seq + 1, at, event };
      this.entries = [...this.entries, { stored, kind }];
      this.folded = evolve(this.folded, stored);
    }
  }

  private async takeBack(moved: boolean): Promise<void> {
    this.decidedBy = null;
    const facts = this.entries.filter((entry) => entry.kind === 'fact');
    if (moved) {
      const news = await this.ports.ledger.eventsAfter(this.committed, this.committed.seq);
      this.committed = news.reduce(evolve, this.committed);
    }
    this.folded = this.committed;
    this.entries = facts.map((fact) => {
      const at = Math.max(fact.stored.at, this.folded.lastEventAt);
      const stored = { ...fact.stored, at, seq: this.folded.seq + 1 };
      this.folded = evolve(this.folded, stored);
      return { stored, kind: 'fact' };
    });
  }
}
