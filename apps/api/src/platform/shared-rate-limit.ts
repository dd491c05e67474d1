import type { RateLimit } from './rate-limit.js';
import type { Grant, Requester } from './rate-limit.repository.js';

export interface SharedRateLimitParts {
  readonly take: (requester: Requester, perSecond: number, wanted: number) => Promise<Grant>;
  /** Counts in this process while the shared buckets do not answer. */
  readonly alone: RateLimit;
  /** Milliseconds, monotonic. */
  readonly clock?: () => number;
  /** Milliseconds for which the shared buckets are waited for. */
  readonly patienceMs?: number;
}

/** Requests that were taken out of the shared buckets, for one requester, and are not used yet. */
interface Stock {
  requests: number;
  usableUntil: number;
  /** The buckets were empty: nobody asks again before. */
  emptyUntil: number;
  /** Requests that wait for the question under way. */
  waiting: number;
  asking: Promise<void> | null;
}

/** A twentieth of a second's worth is taken at once: a busy requester costs a round trip for each of these, not for each request. */
const TAKEN_AT_ONCE = 1 / 20;
/** What was taken and not used is gone after as long as it takes to fill a bucket. */
const USABLE_MS = 1_000;
const PATIENCE_MS = 250;
/** Once the shared buckets did not answer in time, this process counts alone for so long. */
const ALONE_MS = 1_000;
const KEPT = 20_000;

/**
 * The limit of requests a second, over all processes of the API (docs/adr/0013). Requests are taken out of buckets in
 * Postgres, a few at once. While those do not answer, each process counts for itself: a limit protects the other tenants,
 * so it neither falls nor keeps everybody out.
 */
export class SharedRateLimit {
  private readonly stocks = new Map<string, Stock>();
  private aloneUntil = 0;
  private readonly clock: () => number;
  private readonly patienceMs: number;

  constructor(private readonly parts: SharedRateLimitParts) {
    this.clock = parts.clock ?? (() => performance.now());
    this.patienceMs = parts.patienceMs ?? PATIENCE_MS;
  }

  /** Takes one request. Gives 0, or the whole seconds after which it is worth trying again. Never rejects. */
  async take(requester: Requester, perSecond: number): Promise<number> {
    const stock = this.stockOf(requester);
    for (;;) {
      const now = this.clock();
      if (stock.requests > 0 && stock.usableUntil > now) {
        stock.requests -= 1;
        return 0;
      }
      if (stock.emptyUntil > now) return Math.max(1, Math.ceil((stock.emptyUntil - now) / 1000));
      if (this.aloneUntil > now)
        return this.parts.alone.take([requester.actorId, requester.tenant], perSecond);
      stock.asking ??= this.ask(stock, requester, perSecond);
      stock.waiting += 1;
      await stock.asking;
      stock.waiting -= 1;
    }
  }

  private async ask(stock: Stock, requester: Requester, perSecond: number): Promise<void> {
    const wanted = Math.max(1, Math.floor(perSecond * TAKEN_AT_ONCE), stock.waiting);
    const asked = this.clock();
    try {
      const { granted, emptyForMs } = await inTime(
        this.parts.take(requester, perSecond, wanted),
        this.patienceMs,
      );
      stock.requests = granted;
      stock.usableUntil = asked + USABLE_MS;
      // At least a millisecond from now, so that whoever waited for this answer is refused by it.
      stock.emptyUntil = granted > 0 ? 0 : this.clock() + Math.max(1, emptyForMs);
    } catch {
      this.aloneUntil = this.clock() + ALONE_MS;
    } finally {
      stock.asking = null;
    }
  }

  private stockOf({ tenant, actorId }: Requester): Stock {
    const name = `${tenant} ${actorId}`;
    const known = this.stocks.get(name);
    if (known !== undefined) return known;
    if (this.stocks.size >= KEPT) this.stocks.clear();
    const stock: Stock = { requests: 0, usableUntil: 0, emptyUntil: 0, waiting: 0, asking: null };
    this.stocks.set(name, stock);
    return stock;
  }
}

async function inTime(answer: Promise<Grant>, patienceMs: number): Promise<Grant> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the rate limits did not answer in time')), patienceMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
