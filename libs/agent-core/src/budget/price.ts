import type { Usage } from '../model/model-event.js';
import type { UsdText } from '../shared/brand.js';
import { compareUsd, formatUsd, parseUsd, sumUsd, type Usd } from '../shared/usd.js';

/** What a model costs, in US dollars per million tokens. */
export interface ModelPrice {
  readonly version: string;
  readonly inputPerMTok: UsdText;
  /** Null: read from the cache at the price of input. */
  readonly cachedInputPerMTok: UsdText | null;
  /** Null: written to the cache at the price of input. */
  readonly cacheWritePerMTok: UsdText | null;
  readonly outputPerMTok: UsdText;
}

/** What the usage costs, exactly. Tokens read from and written to the cache are parts of `inputTokens`. */
export function costOf(price: ModelPrice, usage: Usage): UsdText {
  const cached = count(usage.cachedInputTokens);
  const written = count(usage.cacheWriteTokens);
  const rest = count(usage.inputTokens) - cached - written;
  return total([
    // A provider that reports more cached tokens than input is taken at its word for the cached ones.
    [rest > 0n ? rest : 0n, price.inputPerMTok],
    [cached, price.cachedInputPerMTok ?? price.inputPerMTok],
    [written, price.cacheWritePerMTok ?? price.inputPerMTok],
    [count(usage.outputTokens), price.outputPerMTok],
  ]);
}

/**
 * The most that a call can cost: every byte of the request as a token at the dearest rate for input, and
 * `maxOutputTokens` at the rate for output (CONTRACT, Admission).
 */
export function worstCaseOf(price: ModelPrice, requestBytes: number, maxOutputTokens: number): UsdText {
  const rates = [price.inputPerMTok, price.cachedInputPerMTok, price.cacheWritePerMTok];
  const dearest = rates.reduce<UsdText>(
    (most, rate) => (rate !== null && compareUsd(rate, most) > 0 ? rate : most),
    price.inputPerMTok,
  );
  return total([
    [count(requestBytes), dearest],
    [count(maxOutputTokens), price.outputPerMTok],
  ]);
}

function total(parts: readonly (readonly [tokens: bigint, perMTok: UsdText])[]): UsdText {
  let sum: Usd = { units: 0n, scale: 0 };
  for (const [tokens, perMTok] of parts) {
    const rate = parseUsd(perMTok);
    sum = sumUsd(sum, { units: rate.units * tokens, scale: rate.scale + 6 });
  }
  return formatUsd(sum);
}

/** A count as a provider reports it; what is no count at all costs nothing rather than stop the settlement. */
function count(tokens: number): bigint {
  return Number.isFinite(tokens) && tokens > 0 ? BigInt(Math.ceil(tokens)) : 0n;
}
