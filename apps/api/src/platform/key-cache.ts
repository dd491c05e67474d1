import type { Scope } from '@countersign/contracts';

/** What the database knows of a key that is neither revoked nor expired. */
export interface KnownKey {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly tenantSlug: string;
  readonly tenantName: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  readonly suspended: boolean;
  /** Requests a second of the key and of the tenant. */
  readonly requestsPerSecond: number;
}

/** Long enough to spare the database, short enough that a key revoked through another process soon ends. */
const KEPT_MS = 2_000;
const KEPT_KEYS = 10_000;

interface Entry {
  readonly key: KnownKey;
  readonly until: number;
}

/** Looks keys up by their digest and remembers for a moment what it found. Unknown keys are not remembered. */
export class KeyCache {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly find: (digest: string) => Promise<KnownKey | null>,
    private readonly clock: () => number = Date.now,
  ) {}

  async lookUp(digest: string): Promise<KnownKey | null> {
    const now = this.clock();
    const entry = this.entries.get(digest);
    if (entry !== undefined && entry.until > now) return alive(entry.key, now);
    const key = await this.find(digest);
    if (key === null) {
      this.entries.delete(digest);
      return null;
    }
    if (this.entries.size >= KEPT_KEYS) this.entries.clear();
    this.entries.set(digest, { key, until: now + KEPT_MS });
    return alive(key, now);
  }

  /** Forgets the keys of a tenant: called when one of them, or the tenant, changes in this process. */
  forget(tenant: string): void {
    for (const [digest, { key }] of this.entries) {
      if (key.tenant === tenant) this.entries.delete(digest);
    }
  }
}

function alive(key: KnownKey, now: number): KnownKey | null {
  return key.expiresAt !== null && key.expiresAt.getTime() <= now ? null : key;
}
