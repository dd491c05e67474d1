import { z } from 'zod';
import { runStatus } from './run.js';
import { instant, page, pageQuery } from './shared.js';

/** One stored event of a run. More types and more members of `data` may come: pass over what is unknown. */
export const runEvent = z
  .strictObject({
    seq: z.number().int().min(1),
    type: z
      .string()
      .meta({ examples: ['run.queued', 'model.responded', 'approval.requested', 'run.finished'] }),
    at: instant,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'RunEvent' });
export type RunEvent = z.output<typeof runEvent>;

export const runEventPage = page(runEvent).meta({ id: 'RunEventPage' });

export const runEventQuery = z.strictObject({
  limit: pageQuery.limit,
  after: z
    .string()
    .regex(/^(0|[1-9][0-9]{0,8})$/, 'takes the seq of an event')
    .transform(Number)
    .optional()
    .meta({ description: 'Only events with a higher seq.' }),
});

/** Live text of the model, or the call that it has begun to write, as `event: delta` without id. Not stored. */
export const runDelta = z
  .union([
    z.strictObject({ turn: z.number().int(), text: z.string() }),
    z.strictObject({ turn: z.number().int(), index: z.number().int(), tool: z.string() }),
  ])
  .meta({ id: 'RunDelta' });

export const TRACE_SPAN_KINDS = [
  'queue_wait',
  'model_call',
  'tool_call',
  'approval_wait',
  'undo_wait',
  'outcome_wait',
  'client_wait',
  'hold_wait',
  'timer_wait',
] as const;

const share = z.number().int().nullable();

/**
 * What a model call was sent: how many messages of the conversation, and how the tokens that the provider counted
 * divide between instructions, schemas of tools and conversation, by their bytes. Null tokens: none were counted.
 */
export const received = z
  .strictObject({
    messages: z.number().int(),
    instructionsTokens: share,
    toolsTokens: share,
    conversationTokens: share,
  })
  .meta({ id: 'Received' });
export type Received = z.output<typeof received>;

/**
 * A stretch of a run: a model call, a tool call, or a wait. For a worker (`queue_wait`); a person's decision
 * (`approval_wait`), the time in which it may be undone (`undo_wait`), a person's word on an unknown outcome
 * (`outcome_wait`); the app's result (`client_wait`); another call with the same intent (`hold_wait`); reserved money or
 * a provider that is away (`timer_wait`, its name says which). `finishedAt` null: it goes on.
 */
export const traceSpan = z
  .strictObject({
    id: z.string(),
    kind: z.enum(TRACE_SPAN_KINDS),
    name: z.string(),
    turn: z.number().int().nullable(),
    status: z.string(),
    startedAt: instant,
    finishedAt: instant.nullable(),
    inputTokens: z.number().int().nullable(),
    outputTokens: z.number().int().nullable(),
    costUsd: z.string().nullable(),
    received: received.nullable().meta({ description: 'Of a model call that has ended; else null.' }),
  })
  .meta({ id: 'TraceSpan' });
export type TraceSpan = z.output<typeof traceSpan>;

export const runTrace = z.strictObject({ spans: z.array(traceSpan) }).meta({ id: 'RunTrace' });

/** News of a run as `event: run` of the stream of changes: it has events up to `seq` and stands at `status`. */
export const runChange = z
  .strictObject({ runId: z.string(), seq: z.number().int(), status: runStatus })
  .meta({ id: 'RunChange' });
