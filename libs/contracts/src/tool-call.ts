import { z } from 'zod';
import { instant, jsonPayload, page, pageQuery } from './shared.js';

const checkState = z.enum(['passed', 'stopped', 'not_reached']);

export const toolCallStatus = z
  .enum([
    'requested',
    'permitted',
    'denied',
    'awaiting_approval',
    'approved',
    'executing',
    'awaiting_client',
    'succeeded',
    'failed',
    'unknown',
    'cancelled',
  ])
  .meta({ id: 'ToolCallStatus' });

/** A call that the model proposed, and what became of it. `result` is there once it succeeded, `error` where it did not. */
export const toolCall = z
  .strictObject({
    id: z.string(),
    turn: z.number().int(),
    index: z.number().int(),
    tool: z.string(),
    toolVersion: z.number().int().nullable(),
    effect: z.enum(['read', 'idempotent', 'once']).nullable(),
    arguments: jsonPayload,
    argumentsDigest: z.string().nullable(),
    checks: z.strictObject({
      registered: checkState,
      arguments: checkState,
      scope: checkState,
      policy: checkState,
      credential: checkState,
    }),
    status: toolCallStatus,
    result: jsonPayload.optional(),
    error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
    replayOf: z.string().nullable(),
    ids: z.strictObject({
      provider: z.string().nullable(),
      api: z.string().nullable(),
      responseId: z.string().nullable(),
      callId: z.string(),
      operationId: z.string(),
      idempotencyKey: z.string().nullable(),
      approvalId: z.string().nullable(),
    }),
    revisions: z.strictObject({
      adapter: z.string().nullable(),
      sdk: z.string().nullable(),
      handler: z.string().nullable(),
      policy: z.string().nullable(),
    }),
    requestDigest: z.string().nullable(),
    resultDigest: z.string().nullable(),
    bindingDigest: z.string().nullable(),
    attempts: z.number().int(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'ToolCall' });
export type ToolCall = z.output<typeof toolCall>;

export const toolCallPage = page(toolCall).meta({ id: 'ToolCallPage' });
export const toolCallListQuery = z.strictObject({ ...pageQuery });
