import type { GovernancePort } from '@countersign/agent-core';
import { RecentReads } from '../platform/recent-reads.js';

type Current = Awaited<ReturnType<GovernancePort['current']>>;

const TENANTS = 1_000;

/**
 * The rules of the tenants whose runs this worker executes, so that a step need not ask for them each time. That they
 * changed is noticed where it matters: the ledger refuses a step that was decided by older ones.
 */
export class GovernanceCache {
  private readonly kept = new RecentReads<Current>(TENANTS);

  constructor(private readonly read: (tenant: string) => Promise<Current>) {}

  current(tenant: string): Promise<Current> {
    return this.kept.get(tenant, () => this.read(tenant));
  }

  /** Called when the ledger says that the rules changed. */
  forget(tenant: string): void {
    this.kept.forget(tenant);
  }
}
