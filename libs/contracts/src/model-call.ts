import { z } from 'zod';
import { instant, pageQuery, usd } from './shared.js';

const count = z.number().int().min(0);

/** One attempt at a model, whether it gave a reply (`finish`) or not (`failure`). */
export const modelCall = z
  .strictObject({
    id: z.string(),
    turn: z.number().int().nullable().meta({ description: 'Null where no reply came.' }),
    provider: z.string(),
    api: z.string(),
    model: z.string(),
    responseId: z.string().nullable(),
    finish: z
      .strictObject({ unified: z.string(), raw: z.string() })
      .nullable()
      .meta({ description: 'Why the reply ended, in our word and in the provider’s.' }),
    failure: z.strictObject({ code: z.string(), httpStatus: z.number().int().nullable() }).nullable(),
    usage: z
      .strictObject({
        inputTokens: count,
        cachedInputTokens: count,
        cacheWriteTokens: count,
        outputTokens: count,
        reasoningTokens: count,
      })
      .meta({
        description:
          'Cached and cache-writing tokens are part of the input, reasoning tokens of the output, each counted once.',
      }),
    estimated: z.boolean().meta({ description: 'True where the provider did not say what it used.' }),
    costUsd: usd,
    wasteUsd: usd,
    reservedUsd: usd.meta({ description: 'What was set aside before it was sent.' }),
    priceVersion: z.string(),
    requestDigest: z.string(),
    revisions: z.strictObject({ adapter: z.string(), sdk: z.string() }),
    startedAt: instant,
    finishedAt: instant,
  })
  .meta({ id: 'ModelCall' });
export type ModelCall = z.output<typeof modelCall>;

export const modelCallListQuery = z.strictObject(pageQuery);
