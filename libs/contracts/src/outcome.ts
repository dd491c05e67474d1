import { z } from 'zod';
import { instant, jsonPayload, page, pageQuery } from './shared.js';

/** An effect of which nobody knows whether it happened: a person finds out and says so. */
export const outcome = z
  .strictObject({
    runId: z.string(),
    toolCallId: z.string(),
    tool: z.string(),
    arguments: jsonPayload,
    argumentsDigest: z.string().nullable(),
    effect: z.enum(['read', 'idempotent', 'once']).nullable(),
    idempotencyKey: z.string(),
    status: z.literal('pending'),
    detail: z.string().nullable(),
    subject: jsonPayload.nullable(),
    /** How often the call was sent. A second time needs the word that the first did not happen; there is no third. */
    tries: z.number().int(),
    startedAt: instant.nullable(),
  })
  .meta({ id: 'Outcome' });
export type Outcome = z.output<typeof outcome>;

export const outcomePage = page(outcome).meta({ id: 'OutcomePage' });

export const outcomeListQuery = z.strictObject({
  ...pageQuery,
  status: z.literal('pending').optional(),
});
export type OutcomeListQuery = z.output<typeof outcomeListQuery>;

export const settleOutcome = z
  .strictObject({
    happened: z.boolean(),
    output: jsonPayload.optional(),
    message: z.string().max(2_000).optional(),
  })
  .meta({ id: 'SettleOutcome' });
export type SettleOutcome = z.output<typeof settleOutcome>;
