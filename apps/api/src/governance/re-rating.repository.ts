import type { RunEvent, Usage, UsdText } from '@countersign/agent-core';
import { callLongFunction, type Database } from '../platform/database.js';

/** A model call of any tenant as it was booked. */
export interface BookedCall {
  readonly tenant: string;
  readonly runId: string;
  readonly modelCallId: string;
  /** Milliseconds since the epoch: the moment whose price counts. */
  readonly reservedAt: number;
  readonly priceVersion: string;
  readonly estimated: boolean;
  /** An attempt that gave no reply: all that it costs is waste. */
  readonly failed: boolean;
  readonly costUsd: UsdText;
  readonly wasteUsd: UsdText;
  readonly usage: Usage;
}

/** What a call costs by another price, and what it cost before. */
export type ReRatedCall = Omit<Extract<RunEvent, { type: 'model.re_rated' }>, 'type'>;

/** Calls a page. */
const PAGE = 1_000;

/** What model calls of all tenants cost, once a price was corrected. */
export class ReRatingRepository {
  constructor(private readonly database: Database) {}

  /** The calls of a model since `from` (milliseconds), page by page, those of one run behind each other. @throws DatabaseError */
  async *pages(provider: string, model: string, from: number): AsyncGenerator<readonly BookedCall[]> {
    for (let last: BookedCall | undefined; ; ) {
      const text: string = await callLongFunction<string>(this.database, 'operator_calls_to_re_rate', {
        provider,
        model,
        from,
        afterTenant: last?.tenant ?? null,
        afterRun: last?.runId ?? null,
        afterCall: last?.modelCallId ?? null,
        limit: PAGE,
      });
      const page = JSON.parse(text) as readonly BookedCall[];
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      last = page.at(-1);
    }
  }

  /** Books calls of one run anew, with their trail, in one transaction. Gives those that nobody had changed meanwhile. */
  async reRate(
    tenant: string,
    runId: string,
    calls: readonly ReRatedCall[],
  ): Promise<readonly ReRatedCall[]> {
    const text = await callLongFunction<string>(this.database, 'operator_re_rate_run', {
      tenant,
      run: runId,
      calls: JSON.stringify(calls),
    });
    const moved = new Set(JSON.parse(text) as readonly string[]);
    return calls.filter(({ modelCallId }) => moved.has(modelCallId));
  }
}
