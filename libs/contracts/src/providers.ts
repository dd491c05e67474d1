import { z } from 'zod';
import { httpUrl, instant } from './shared.js';

/** Providers that take a key. */
export const providerPath = z.object({
  provider: z.enum(['openai', 'openai-compatible', 'anthropic', 'google']),
});
export type ProviderPath = z.output<typeof providerPath>;

export const providerPut = z
  .strictObject({
    /** Sealed, bound to the origin of baseUrl, and never shown again. */
    apiKey: z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'takes 1 to 4096 visible ASCII characters'),
    /** Where the key is for; the vendor's own address unless given. */
    baseUrl: httpUrl.optional(),
  })
  .meta({ id: 'ProviderPut' });
export type ProviderPut = z.output<typeof providerPut>;

/** A stored key, without the key. */
export const providerKey = z
  .strictObject({
    provider: z.string(),
    baseUrl: z.string().nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'ProviderKey' });
