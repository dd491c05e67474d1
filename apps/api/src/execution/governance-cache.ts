import type { GovernancePort } from '@countersign/agent-core';

type Current = Awaited<ReturnType<GovernancePort['current']>>;

/** A rule that changed is noticed at once where it matters: the ledger refuses a step that was decided by an older one. */
const TENANTS = 1_000;

/** The rules of the tenants whose runs this worker executes, so that a step need not ask for them each time. */
export class GovernanceCache {
  private readonly known = new Map<string, Promise<Current>>();

  constructor(private readonly read: (tenant: string) => Promise<Current>) {}

  current(tenant: string): Promise<Current> {
    const known = this.known.get(tenant);
    if (known !== undefined) return known;
    const [oldest] = this.known.keys();
    if (this.known.size >= TENANTS && oldest !== undefined) this.known.delete(oldest);
    const reading = this.read(tenant);
    this.known.set(tenant, reading);
    reading.catch(() => this.known.delete(tenant));
    return reading;
  }

  /** Called when the ledger says that the rules changed. */
  forget(tenant: string): void {
    this.known.delete(tenant);
  }
}
