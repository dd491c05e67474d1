import { z } from 'zod';
import { limits } from './agents.js';
import {
  filter,
  instant,
  instantInput,
  integer,
  jsonObject,
  jsonPayload,
  name,
  page,
  pageQuery,
  usd,
  usdInput,
} from './shared.js';

export const inputMessage = z
  .strictObject({ role: z.enum(['user', 'assistant']), content: z.string().min(1) })
  .meta({ id: 'InputMessage' });

/** Whom the run is for. Its claims can be injected into arguments and constrain them; they stay as they came. */
export const subject = z
  .looseObject({ id: z.string().min(1).max(255) })
  .meta({ id: 'Subject', examples: [{ id: 'customer-1' }] });

export const startRun = z
  .strictObject({
    agent: name,
    version: integer(1, 2_147_483_647).optional(),
    input: z.union([z.string().min(1), z.array(inputMessage).min(1).max(1_000)]),
    threadId: z.string().max(64).optional(),
    subject: subject.optional(),
    operationId: z.string().min(1).max(255).optional(),
    metadata: jsonObject.optional(),
    /** Each may only be tighter than the agent's. */
    limits: limits.optional(),
    budgetUsd: usdInput.optional(),
    onBusy: z.enum(['queue', 'reject', 'cancel_previous']).optional(),
  })
  .meta({
    id: 'StartRun',
    examples: [{ agent: 'support', input: 'Where is order 1001?', subject: { id: 'customer-1' } }],
  });
export type StartRun = z.output<typeof startRun>;

export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting',
  'completed',
  'refused',
  'incomplete',
  'failed',
  'cancelled',
] as const;
export const runStatus = z.enum(RUN_STATUSES).meta({ id: 'RunStatus' });
export type RunStatus = z.output<typeof runStatus>;

/** What a waiting run waits for; several at once are usual. `until`: when it goes on by itself. */
export const waitingOn = z
  .strictObject({
    approvals: z.array(z.string()),
    toolResults: z.array(
      z.strictObject({ toolCallId: z.string(), tool: z.string(), arguments: jsonPayload }),
    ),
    outcomes: z.array(z.string()),
    until: instant.nullable(),
    why: z.string().nullable(),
  })
  .meta({ id: 'WaitingOn' });

const count = z.number().int().min(0);

export const runUsage = z
  .strictObject({
    turns: count,
    modelCalls: count,
    toolCalls: count,
    toolsUsed: z.array(z.string()),
    messages: count,
    inputTokens: count,
    cachedInputTokens: count,
    cacheWriteTokens: count,
    outputTokens: count,
    reasoningTokens: count,
    estimated: z.boolean(),
  })
  .meta({ id: 'RunUsage' });

export const run = z
  .strictObject({
    id: z.string(),
    agent: z.strictObject({ name: z.string(), version: z.number().int() }),
    threadId: z.string().nullable(),
    operationId: z.string(),
    subject: jsonObject.nullable(),
    status: runStatus,
    statusReason: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    waitingOn: waitingOn.nullable(),
    output: z.string().nullable(),
    usage: runUsage,
    costUsd: usd,
    wasteUsd: usd,
    budget: z.strictObject({ limitUsd: usd.nullable(), reservedUsd: usd }),
    metadata: jsonObject.nullable(),
    createdAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    deadlineAt: instant.nullable(),
    seq: z.number().int(),
  })
  .meta({ id: 'Run' });
export type Run = z.output<typeof run>;

export const runPage = page(run).meta({ id: 'RunPage' });

/** How long the answer may wait until the run ended or waits on people or the app, in seconds. */
export const runQuery = z.strictObject({
  wait: z
    .string()
    .regex(/^([0-9]|[1-5][0-9]|60)$/, 'takes a whole number from 0 to 60')
    .transform(Number)
    .optional()
    .meta({ description: 'Seconds, 0 to 60.' }),
});

/** What of a run lies between `from` and `to`. */
export const RUN_MOMENTS = ['created', 'ended', 'spent', 'failed'] as const;

export const runListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(RUN_STATUSES).optional(),
  reason: filter.optional().meta({ description: 'The code of statusReason.' }),
  agent: filter.optional(),
  subject: filter.optional().meta({ description: 'The id of the subject.' }),
  operationId: filter.optional(),
  threadId: filter.optional(),
  from: instantInput.optional().meta({ description: 'The moment is then or after.' }),
  to: instantInput.optional().meta({ description: 'The moment is before then.' }),
  moment: z.enum(RUN_MOMENTS).optional().meta({
    description:
      'What lies between from and to: that the run was created (unless given), that it ended, that a model call was settled, or that an attempt at a model (with tool: a call of it) failed. What metrics count, so that a figure can be followed to its runs.',
  }),
  model: filter.optional().meta({
    description:
      'Runs with a call of this model, as provider/model; of any model of a provider, as provider.',
  }),
  tool: filter.optional().meta({ description: 'Runs in which a model asked for this tool.' }),
  q: filter.optional().meta({
    description: 'The id of the run, a part of its operation or of its subject’s id, or words of its output.',
  }),
});
export type RunListQuery = z.output<typeof runListQuery>;
