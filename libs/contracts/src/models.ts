import { z } from 'zod';
import { instant, instantInput, integer, usd, usdInput } from './shared.js';

export const modelPath = z.object({
  provider: z.enum(['openai', 'openai-compatible', 'anthropic', 'google', 'scripted']),
  model: z.string().regex(/^[\x21-\x7e]{1,256}$/),
});
export type ModelPath = z.output<typeof modelPath>;

const tokens = integer(1, 2_000_000_000);

/** What a model costs, in US dollars per million tokens. Cache rates are those of input unless given. */
export const modelPut = z
  .strictObject({
    inputPerMTok: usdInput,
    cachedInputPerMTok: usdInput.optional(),
    cacheWritePerMTok: usdInput.optional(),
    outputPerMTok: usdInput,
    contextWindow: tokens.optional(),
    maxOutputTokens: tokens.optional(),
    /** From when on the price holds; now unless given. */
    validFrom: instantInput.optional(),
  })
  .meta({ id: 'ModelPut' });
export type ModelPut = z.output<typeof modelPut>;

/** Which calls are reckoned anew: those of this model since then, each by the price that holds for its moment now. */
export const modelReRate = z
  .strictObject({ provider: modelPath.shape.provider, model: modelPath.shape.model, from: instantInput })
  .meta({ id: 'ModelReRate' });
export type ModelReRate = z.output<typeof modelReRate>;

export const modelReRated = z
  .strictObject({
    calls: z.number().int().meta({ description: 'Calls that were looked at.' }),
    changed: z.number().int().meta({ description: 'Calls that cost something else now.' }),
    estimated: z
      .number()
      .int()
      .meta({ description: 'Calls that stay as they were booked, since nobody knows what they used.' }),
    beforeUsd: usd.meta({ description: 'What the changed calls cost before.' }),
    afterUsd: usd,
  })
  .meta({ id: 'ModelReRated' });

/** One version of the operator's price of a model. The newest that is valid holds. */
export const modelPrice = z
  .strictObject({
    provider: z.string(),
    model: z.string(),
    version: z.number().int(),
    validFrom: instant,
    inputPerMTok: usd,
    cachedInputPerMTok: usd.nullable(),
    cacheWritePerMTok: usd.nullable(),
    outputPerMTok: usd,
    contextWindow: z.number().int().nullable(),
    maxOutputTokens: z.number().int().nullable(),
  })
  .meta({ id: 'ModelPrice' });
