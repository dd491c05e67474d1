import type { ModelPath, ModelPut } from '@countersign/contracts';
import type { PriceRepository } from './price.repository.js';
import { shownPrice } from './price.repository.js';
import type { PriceBook } from './price-book.js';

export interface SetModelPriceDependencies {
  readonly prices: Pick<PriceRepository, 'save'>;
  /** Told, so that this process reckons with the new price at once; others do within seconds. */
  readonly book: Pick<PriceBook, 'forget'>;
}

/** Sets what a model costs from a moment on. Calls that were made before keep what they cost until
 * they are re-rated. */
export async function setModelPrice(
  { prices, book }: SetModelPriceDependencies,
  { provider, model }: ModelPath,
  input: ModelPut,
): Promise<object> {
  const saved = await prices.save(provider, model, {
    validFrom: input.validFrom === undefined ? null : new Date(input.validFrom),
    inputPerMTok: input.inputPerMTok,
    cachedInputPerMTok: input.cachedInputPerMTok ?? null,
    cacheWritePerMTok: input.cacheWritePerMTok ?? null,
    outputPerMTok: input.outputPerMTok,
    contextWindow: input.contextWindow ?? null,
    maxOutputTokens: input.maxOutputTokens ?? null,
  });
  book.forget(provider, model);
  return { provider, model, ...shownPrice(saved) };
}
