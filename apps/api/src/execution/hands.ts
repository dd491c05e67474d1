import type { HandsAsked } from './lease.repository.js';
import type { Lease } from './leases.js';

export interface HandsParts {
  /** True where every hand of this worker holds a run, the newcomers' too. */
  readonly full: () => boolean;
  /** The runs held for at least so many milliseconds. */
  readonly heldFor: (milliseconds: number) => readonly Lease[];
  /** Which of these runs stand in the way of tenants that have nothing running. */
  readonly ask: (leases: readonly Lease[]) => Promise<HandsAsked | null>;
}

/** So long may a tenant with nothing running wait for more than a step of another's. */
const ASKED_EVERY_MS = 20;
/** To be handed back and claimed again costs a run as much as some steps: it keeps a hand for at least so long. */
const KEPT_FOR_MS = 500;

/**
 * Frees hands for tenants that have nothing running. A worker keeps a hand for one such tenant; where that is taken too,
 * other tenants' long runs could keep the next one out until their next heartbeat. So Postgres is asked in between, and
 * the first runs that come to a step boundary are handed back: as many as there are tenants that wait.
 */
export class Hands {
  private asked: ReadonlySet<string> = new Set();
  private wanted = 0;
  private readonly timer: NodeJS.Timeout;
  private asking = false;

  constructor(private readonly parts: HandsParts) {
    this.timer = setInterval(() => void this.look(), ASKED_EVERY_MS);
  }

  /** Whether this run, at a step boundary, gives its hand to another tenant. Each hand that is asked for is given once. */
  gives({ runId }: Lease): boolean {
    if (this.wanted === 0 || !this.asked.has(runId)) return false;
    this.wanted -= 1;
    return true;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const { full, heldFor, ask } = this.parts;
    if (this.asking) return;
    this.asking = true;
    try {
      const held = full() ? heldFor(KEPT_FOR_MS) : [];
      const answer = held.length === 0 ? null : await ask(held);
      this.asked = new Set(answer?.runs);
      this.wanted = answer?.hands ?? 0;
    } catch {
      // The heartbeat says that Postgres does not answer; nobody could claim what is handed back.
      this.wanted = 0;
    } finally {
      this.asking = false;
    }
  }
}
