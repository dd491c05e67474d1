import { Problem } from '../platform/problem.js';

/** Open streams of one tenant in one process (CONTRACT, Rate limits). */
const STREAMS = 100;

/** Counts open streams by tenant. */
export class StreamLimit {
  private readonly open = new Map<string, number>();

  /** @returns what gives the place back, once. @throws Problem too_many_streams */
  take(tenant: string): () => void {
    const open = this.open.get(tenant) ?? 0;
    if (open >= STREAMS) {
      throw new Problem('too_many_streams', `At most ${STREAMS} streams of a tenant are open at once.`, {
        headers: { 'retry-after': '1' },
      });
    }
    this.open.set(tenant, open + 1);
    return () => {
      const left = (this.open.get(tenant) ?? 1) - 1;
      if (left === 0) this.open.delete(tenant);
      else this.open.set(tenant, left);
    };
  }
}
