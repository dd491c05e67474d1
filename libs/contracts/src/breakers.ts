import { z } from 'zod';
import { instant } from './shared.js';

const toolAbout = z.strictObject({ tool: z.string() });

const providerAbout = z.strictObject({
  provider: z.string(),
  model: z.string(),
  /** Null for what goes nowhere. */
  baseUrl: z.string().nullable(),
});

/** A circuit breaker with failures that stand; one without is closed and not listed. */
export const breaker = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['tool', 'provider']),
    about: z.union([toolAbout, providerAbout]),
    owner: z.enum(['tenant', 'deployment']).meta({
      description: 'Whose credential the provider is called with; a tool is always the tenant\u2019s.',
    }),
    state: z.enum(['closed', 'open', 'half_open']).meta({
      description:
        'closed: failures stand, fewer than open it. half_open: one call is let through as a probe.',
    }),
    failures: z.number().int().nullable().meta({
      description: 'Running. Null for the deployment\u2019s, in which the calls of others count.',
    }),
    lastError: z.string().nullable().meta({ description: 'The code of the last failure; null as above.' }),
    openedAt: instant.nullable(),
    retryAt: instant.nullable().meta({ description: 'From then on the breaker is half-open.' }),
  })
  .meta({ id: 'Breaker' });
export type Breaker = z.output<typeof breaker>;

export const breakerReset = z
  .strictObject({ id: z.string(), state: z.literal('closed') })
  .meta({ id: 'BreakerReset' });
