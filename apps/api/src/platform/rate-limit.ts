interface Bucket {
  tokens: number;
  filledAt: number;
}

const KEPT_BUCKETS = 20_000;

/**
 * A token bucket for each key and each tenant, in this process: it holds one second's worth of requests and fills at
 * that rate.
 */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly clock: () => number = Date.now) {}

  /** Takes one request out of each bucket. Gives 0, or the whole seconds after which it is worth trying again. */
  take(names: readonly string[], perSecond: number): number {
    const now = this.clock();
    const buckets = names.map((name) => this.filled(name, perSecond, now));
    const emptiest = Math.min(...buckets.map((bucket) => bucket.tokens));
    if (emptiest < 1) return Math.max(1, Math.ceil((1 - emptiest) / perSecond));
    for (const bucket of buckets) bucket.tokens -= 1;
    return 0;
  }

  private filled(name: string, perSecond: number, now: number): Bucket {
    const known = this.buckets.get(name);
    if (known === undefined) {
      if (this.buckets.size >= KEPT_BUCKETS) this.buckets.clear();
      const bucket = { tokens: perSecond, filledAt: now };
      this.buckets.set(name, bucket);
      return bucket;
    }
    known.tokens = Math.min(perSecond, known.tokens + ((now - known.filledAt) / 1000) * perSecond);
    known.filledAt = now;
    return known;
  }
}
