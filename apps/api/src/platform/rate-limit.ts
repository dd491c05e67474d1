interface Bucket {
  tokens: number;
  filledAt: number;
}

const KEPT_BUCKETS = 20_000;

/**
 * A token bucket for each name (a key, a tenant, an address), in this process: it holds one second's worth of requests,
 * or as many as are said to be taken at once, and fills at that rate.
 */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly clock: () => number = Date.now) {}

  /** Takes one request out of each bucket. Gives 0, or the whole seconds after which it is worth trying again. */
  take(names: readonly string[], perSecond: number, atOnce = perSecond): number {
    const now = this.clock();
    const buckets = names.map((name) => this.filled(name, perSecond, atOnce, now));
    const emptiest = Math.min(...buckets.map((bucket) => bucket.tokens));
    if (emptiest < 1) return Math.max(1, Math.ceil((1 - emptiest) / perSecond));
    for (const bucket of buckets) bucket.tokens -= 1;
    return 0;
  }

  /** Puts back what was taken for something that need not be limited after all. */
  giveBack(names: readonly string[]): void {
    for (const name of names) {
      const bucket = this.buckets.get(name);
      if (bucket !== undefined) bucket.tokens += 1;
    }
  }

  private filled(name: string, perSecond: number, atOnce: number, now: number): Bucket {
    const known = this.buckets.get(name);
    if (known === undefined) {
      if (this.buckets.size >= KEPT_BUCKETS) this.buckets.clear();
      const bucket = { tokens: atOnce, filledAt: now };
      this.buckets.set(name, bucket);
      return bucket;
    }
    known.tokens = Math.min(atOnce, known.tokens + ((now - known.filledAt) / 1000) * perSecond);
    known.filledAt = now;
    return known;
  }
}
