import { addUsd, compareUsd, type UsdText } from '@countersign/agent-core';
import type { ModelReRate } from '@countersign/contracts';
import { builtInPrice, type PricedEntry } from './built-in-price-list.js';
import type { DatedPrice, PriceRepository } from './price.repository.js';
import { costByEntry } from './price-of-call.js';
import type { BookedCall, ReRatedCall, ReRatingRepository } from './re-rating.repository.js';

export interface ReRateDependencies {
  readonly prices: Pick<PriceRepository, 'versions'>;
  readonly ratings: Pick<ReRatingRepository, 'pages' | 'reRate'>;
}

export interface ReRated {
  readonly calls: number;
  readonly changed: number;
  readonly estimated: number;
  readonly beforeUsd: UsdText;
  readonly afterUsd: UsdText;
}

/**
 * Reckons the calls of a model anew, each by the price that holds for its moment as the list stands now: what a mistyped
 * price did is put right, and the old cost stays on record in the run's events. Run by run: broken off and asked for
 * again, it goes on where it was, since a call that costs what it should is left alone.
 */
export async function reRate(
  { prices, ratings }: ReRateDependencies,
  { provider, model, from }: ModelReRate,
): Promise<ReRated> {
  const versions = await prices.versions(provider, model);
  const priceAt = (at: number) => newestOf(versions, at) ?? builtInPrice(provider, model, at);
  let sum: ReRated = { calls: 0, changed: 0, estimated: 0, beforeUsd: NOTHING, afterUsd: NOTHING };
  for await (const page of ratings.pages(provider, model, Date.parse(from))) {
    const estimated = page.filter((call) => call.estimated).length;
    sum = { ...sum, calls: sum.calls + page.length, estimated: sum.estimated + estimated };
    for (const { tenant, runId, calls } of changesByRun(page, priceAt)) {
      const changed = await ratings.reRate(tenant, runId, calls);
      sum = { ...sum, changed: sum.changed + changed.length };
      for (const { before, costUsd } of changed) {
        const beforeUsd = addUsd(sum.beforeUsd, before.costUsd);
        sum = { ...sum, beforeUsd, afterUsd: addUsd(sum.afterUsd, costUsd) };
      }
    }
  }
  return sum;
}

const NOTHING: UsdText = '0.000000';

interface RunChanges {
  readonly tenant: string;
  readonly runId: string;
  readonly calls: ReRatedCall[];
}

function changesByRun(
  page: readonly BookedCall[],
  priceAt: (at: number) => PricedEntry | null,
): readonly RunChanges[] {
  const runs: RunChanges[] = [];
  for (const call of page) {
    const entry = call.estimated ? null : priceAt(call.reservedAt);
    const change = entry === null ? null : changeOf(call, entry);
    if (change === null) continue;
    const { tenant, runId } = call;
    const last = runs.at(-1);
    if (last?.tenant === tenant && last.runId === runId) last.calls.push(change);
    else runs.push({ tenant, runId, calls: [change] });
  }
  return runs;
}

/** Null where the call costs what it should. */
function changeOf(
  { modelCallId, usage, failed, ...booked }: BookedCall,
  entry: PricedEntry,
): ReRatedCall | null {
  const { priceVersion, costUsd, wasteUsd } = booked;
  const cost = costByEntry(entry, usage);
  if (compareUsd(cost, costUsd) === 0) return null;
  return {
    modelCallId,
    priceVersion: entry.price.version,
    costUsd: cost,
    // Not told by what was wasted so far: at a price of nothing, that was nothing.
    wasteUsd: failed ? cost : NOTHING,
    before: { priceVersion, costUsd, wasteUsd },
  };
}

function newestOf(versions: readonly DatedPrice[], at: number): PricedEntry | undefined {
  return versions.findLast(({ from }) => from <= at)?.entry;
}
