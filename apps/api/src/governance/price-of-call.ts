import {
  compareUsd,
  costOf,
  type ModelChoice,
  type PricedModel,
  type Usage,
  type UsdText,
  worstCaseOf,
} from '@countersign/agent-core';
import type { PricedEntry } from './built-in-price-list.js';

/** Binds a price to one choice of an agent, as the loop reckons with it. */
export function pricedModel(choice: ModelChoice, entry: PricedEntry, maxOutputTokens: number): PricedModel {
  const { price, longRequests } = entry;
  return {
    choice,
    maxOutputTokens,
    priceVersion: price.version,
    worstCaseUsd: (requestBytes) => {
      const short = worstCaseOf(price, requestBytes, maxOutputTokens);
      // No more tokens than bytes: below the threshold the request cannot be a long one.
      if (longRequests === null || requestBytes <= longRequests.aboveInputTokens) return short;
      return larger(short, worstCaseOf(longRequests.price, requestBytes, maxOutputTokens));
    },
    costUsd: (usage) => costByEntry(entry, usage),
  };
}

/** What a call costs that used so much: the rates of long requests hold for all of a long one. */
export function costByEntry({ price, longRequests }: PricedEntry, usage: Usage): UsdText {
  const long = longRequests !== null && usage.inputTokens > longRequests.aboveInputTokens;
  return costOf(long ? longRequests.price : price, usage);
}

function larger(a: UsdText, b: UsdText): UsdText {
  return compareUsd(a, b) >= 0 ? a : b;
}
