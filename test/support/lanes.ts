/**
 * Cases that mostly wait (for a lease to end, say), played side by side: each lane takes the next one as soon as it is
 * free. One that fails keeps no other from being played; whoever asks for its result gets its failure.
 */
export class Lanes<Case, Result = void> {
  private readonly waiting: Case[];
  private readonly results = new Map<Case, PromiseSettledResult<Result>>();

  constructor(cases: readonly Case[]) {
    this.waiting = [...cases];
  }

  /** One lane: plays cases until none is left. */
  async play(one: (each: Case) => Promise<Result>): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      const [result] = await Promise.allSettled([one(next)]);
      this.results.set(next, result);
    }
  }

  /** Throws what the case threw. */
  resultOf(each: Case): Result {
    const result = this.results.get(each);
    if (result === undefined) throw new Error('it was not played');
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }
}

/** So many lanes at once. */
export async function inLanes(count: number, lane: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, lane));
}
