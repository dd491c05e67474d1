import type { Log } from '../../platform/log.js';
import type { BreakerCaller, BreakerFailure, BreakerRepository, BreakerState } from './breaker.repository.js';
import type { BreakerKey } from './breaker-key.js';

export interface BreakersParts {
  readonly repository: Pick<
    BreakerRepository,
    'failed' | 'answered' | 'undecided' | 'open' | 'admit' | 'standing'
  >;
  readonly log: Log;
}

interface Seen {
  readonly state: BreakerState;
  /** Counts what this process has learned: what it learned while the view was read is newer than the view. */
  readonly at: number;
}

interface Answer {
  readonly key: BreakerKey;
  readonly caller: string;
  /** By performance.now(). */
  readonly at: number;
}

/**
 * The circuit breakers as this process sees them. Where everything works nothing is asked and nothing written: the view
 * is read anew every second, failures are written when they happen, a success where failures stand (of another process: with the next look). Before a call only a
 * breaker that was seen open is asked about, in Postgres, whose clock decides. So what another process opened is noticed
 * within that second, and what was closed at once.
 */
export class Breakers {
  private seen = new Map<string, Seen>();
  /** Probes of this process, by breaker: who was let through. */
  private readonly probes = new Map<string, string>();
  private learned = 0;
  /** Answers since the last look where no failures were seen: another process may have counted some before. */
  private answers = new Map<string, Answer>();

  constructor(private readonly parts: BreakersParts) {}

  /** Reads the view anew. @throws DatabaseError: the view stays as it is. */
  async refresh(): Promise<void> {
    const before = this.learned;
    const askedAt = performance.now();
    const states = await this.parts.repository.standing();
    const news = new Map(states.map((state) => [state.id, { state, at: before }]));
    for (const [id, seen] of this.seen) if (seen.at > before) news.set(id, seen);
    this.seen = news;
    await this.tellAnswers(states, askedAt);
  }

  /** Failures running are over where an answer came after the last of them. */
  private async tellAnswers(states: readonly BreakerState[], askedAt: number): Promise<void> {
    const { answers } = this;
    this.answers = new Map();
    for (const { id, sinceFailure } of states) {
      const answer = answers.get(id);
      if (answer !== undefined && answer.at > askedAt - sinceFailure) {
        await this.answered(answer.key, answer.caller);
      }
    }
  }

  /** Until when nothing is sent; null where something may be tried. @throws DatabaseError */
  async openUntil(key: BreakerKey): Promise<number | null> {
    if (!this.seenOpen(key)) return null;
    const { until, state } = await this.parts.repository.open(key);
    this.learn(key, state);
    return until;
  }

  /** Null: the call may be sent. Else until when it is held back. @throws DatabaseError */
  async admit(key: BreakerKey, caller: BreakerCaller, longestMs: number): Promise<number | null> {
    if (!this.seenOpen(key)) return null;
    const { verdict, until, state } = await this.parts.repository.admit(key, caller, longestMs);
    this.learn(key, state);
    if (verdict === 'probe') this.probes.set(key.id, caller.id);
    return until;
  }

  /** Whether this call is the one that a half-open breaker let through. */
  isProbe({ id }: BreakerKey, caller: string): boolean {
    return this.probes.get(id) === caller;
  }

  /** Counts a failure. Gives the end of the opening that stands now; null: there is none. Never rejects. */
  async failed(key: BreakerKey, failure: BreakerFailure, caller: string): Promise<number | null> {
    return this.told(key, caller, async () => {
      const wasOpen = this.seenOpen(key);
      const state = await this.parts.repository.failed(key, failure, caller);
      this.learn(key, state);
      if (state.openUntil !== null && !wasOpen)
        this.say(key, 'a circuit breaker opened', { code: failure.code });
      return state.openUntil;
    });
  }

  /** The other side answered, whatever it said. Never rejects. */
  async answered(key: BreakerKey, caller: string): Promise<void> {
    const known = this.seen.get(key.id)?.state;
    if (known === undefined) {
      this.answers.set(key.id, { key, caller, at: performance.now() });
      return;
    }
    const wasProbe = this.isProbe(key, caller);
    if (known.openUntil !== null && !wasProbe) return;
    await this.told(key, caller, async () => {
      this.learn(key, await this.parts.repository.answered(key, caller));
      if (wasProbe) this.say(key, 'a circuit breaker closed');
      return null;
    });
  }

  /** Nothing was sent, or nothing is known of it: a probe is given back. Never rejects. */
  async undecided(key: BreakerKey, caller: string): Promise<void> {
    if (!this.isProbe(key, caller)) return;
    await this.told(key, caller, async () => {
      await this.parts.repository.undecided(key, caller);
      return null;
    });
  }

  /** What a breaker is told is worth no run: where it cannot be written, the next failure counts. */
  private async told(
    key: BreakerKey,
    caller: string,
    tell: () => Promise<number | null>,
  ): Promise<number | null> {
    try {
      return await tell();
    } catch (error) {
      this.parts.log.warn({ err: error, breaker: key.id }, 'a circuit breaker could not be told');
      return null;
    } finally {
      if (this.isProbe(key, caller)) this.probes.delete(key.id);
    }
  }

  private seenOpen({ id }: BreakerKey): boolean {
    return (this.seen.get(id)?.state.openUntil ?? null) !== null;
  }

  private learn({ id }: BreakerKey, state: BreakerState | null): void {
    this.learned += 1;
    if (state === null) this.seen.delete(id);
    else this.seen.set(id, { state, at: this.learned });
  }

  private say({ owner, id, kind, about }: BreakerKey, words: string, more: object = {}): void {
    this.parts.log.warn({ owner, breaker: id, kind, about, ...more }, words);
  }
}
