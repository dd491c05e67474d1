import { callFunction, callLongFunction, type Database } from '../../platform/database.js';
import type { BreakerKey } from './breaker-key.js';

/** What stands of a breaker: one without failures has none. */
export interface BreakerState {
  readonly owner: string;
  readonly id: string;
  /** Running. */
  readonly failures: number;
  /** How long ago the last one was counted, in milliseconds. */
  readonly sinceFailure: number;
  /** Milliseconds; null: closed. Once it is past, the breaker is half-open: one caller may probe. */
  readonly openUntil: number | null;
}

/** Who is about to send something. */
export interface BreakerCaller {
  readonly tenant: string;
  readonly runId: string;
  /** The tool call, or the run where it calls a model. */
  readonly id: string;
}

export type Admission = { readonly state: BreakerState | null } & (
  | { readonly verdict: 'closed' | 'probe'; readonly until: null }
  | { readonly verdict: 'held_back'; readonly until: number }
);

export interface Opening {
  readonly until: number | null;
  readonly state: BreakerState | null;
}

/** A failure as a breaker counts it: its code, and when the other side asks to be tried again, in milliseconds. */
export interface BreakerFailure {
  readonly code: string;
  readonly retryAfterMs: number | null;
}

/** A breaker as a tenant sees it. Instants in milliseconds. */
export interface BreakerRow {
  readonly id: string;
  readonly kind: BreakerKey['kind'];
  readonly about: { readonly tool: string } | ProviderAbout;
  readonly owner: 'tenant' | 'deployment';
  readonly state: 'closed' | 'open' | 'half_open';
  /** Null for the deployment's: others' calls count in it. */
  readonly failures: number | null;
  readonly lastError: string | null;
  readonly openedAt: number | null;
  readonly retryAt: number | null;
}

interface ProviderAbout {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string | null;
}

/** Circuit breakers as Postgres keeps them, by its clock (prisma/migrations/0008_breakers). */
export class BreakerRepository {
  constructor(private readonly database: Database) {}

  /** Counts a failure; the fifth running opens, and so does the probe's. Gives what stands. @throws DatabaseError */
  async failed(
    { owner, id, kind, about }: BreakerKey,
    { code, retryAfterMs }: BreakerFailure,
    caller: string,
  ): Promise<BreakerState> {
    const given = { owner, id, kind, about, code, retryAfterMs, caller };
    return JSON.parse(await callFunction<string>(this.database, 'breaker_failed', given)) as BreakerState;
  }

  /** The other side answered. Gives what still stands: an open breaker is closed by its probe alone. @throws DatabaseError */
  async answered({ owner, id }: BreakerKey, caller: string): Promise<BreakerState | null> {
    const given = { owner, id, caller };
    const text = await callLongFunction<string | null>(this.database, 'breaker_answered', given);
    return text === null ? null : (JSON.parse(text) as BreakerState);
  }

  /** Gives a probe back that was not sent, or said nothing. @throws DatabaseError */
  async undecided({ owner, id }: BreakerKey, caller: string): Promise<void> {
    await callFunction(this.database, 'breaker_undecided', { owner, id, caller });
  }

  /** Until when nothing is sent; null: it is closed, or half-open. @throws DatabaseError */
  async open({ owner, id }: BreakerKey): Promise<Opening> {
    return JSON.parse(await callFunction<string>(this.database, 'breaker_open', { owner, id })) as Opening;
  }

  /** Whether a call may be sent that takes `longestMs` at most. @throws DatabaseError */
  async admit({ owner, id }: BreakerKey, caller: BreakerCaller, longestMs: number): Promise<Admission> {
    const { tenant, runId: run } = caller;
    const given = { owner, id, tenant, run, caller: caller.id, longestMs };
    return JSON.parse(await callFunction<string>(this.database, 'breaker_admit', given)) as Admission;
  }

  /** Of all tenants, and the deployment's. @throws DatabaseError */
  async standing(): Promise<readonly BreakerState[]> {
    return JSON.parse(await callFunction<string>(this.database, 'standing_breakers')) as BreakerState[];
  }

  /** What a tenant sees: its own, and of the deployment's those that are open and would meet it. @throws DatabaseError */
  async list(tenant: string): Promise<readonly BreakerRow[]> {
    return JSON.parse(await callFunction<string>(this.database, 'breakers_of', { tenant })) as BreakerRow[];
  }

  /** Closes a breaker of the tenant's own. `shared`: it is the deployment's; nothing changed. @throws DatabaseError */
  reset(tenant: string, id: string): Promise<'reset' | 'shared' | 'unknown'> {
    return callLongFunction(this.database, 'reset_breaker', { tenant, id });
  }

  /** Forgets what nobody has met for long, a bounded number at once. @throws DatabaseError */
  forget(limit: number): Promise<number> {
    return callLongFunction<number>(this.database, 'forget_breakers', { limit });
  }
}
