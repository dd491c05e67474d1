import { z } from 'zod';
import { filter, instant, instantInput, usd } from './shared.js';

const HOUR_MS = 3_600_000;

const hour = instantInput.refine(
  (value) => !(Date.parse(value) % HOUR_MS),
  'takes a whole hour in UTC, such as 2026-10-21T09:00:00Z',
);

/** Metrics are counted by the hour, in UTC. */
const range = {
  from: hour.optional().meta({
    description: 'From this hour on; unless given, the first hour of the day 29 days before the end.',
  }),
  to: hour.optional().meta({
    description: 'Before this hour, at most 366 days later; unless given, everything so far.',
  }),
};

const COST_GROUPS = [
  'agent',
  'model',
  'tool',
  'subject',
  'day',
  'day,agent',
  'day,model',
  'day,tool',
  'hour',
  'hour,agent',
  'hour,model',
  'hour,tool',
] as const;
const OPERATOR_COST_GROUPS = [...COST_GROUPS, 'tenant', 'day,tenant', 'hour,tenant'] as const;
const RUN_GROUPS = ['status', 'agent', 'day', 'day,status'] as const;
const OPERATOR_RUN_GROUPS = [...RUN_GROUPS, 'tenant'] as const;

/** What costs are told apart by. */
export type CostGrouping = (typeof OPERATOR_COST_GROUPS)[number];
/** What ended runs are told apart by. */
export type RunGrouping = (typeof OPERATOR_RUN_GROUPS)[number];

const failureGroups = z.enum(['reason', 'tool', 'provider']);
export type FailureGrouping = z.output<typeof failureGroups>;

/** The operator's may name one tenant, by id or slug. */
const ofTenant = { tenant: filter.optional().meta({ description: 'One tenant, by id or slug.' }) };

export const metricsQuery = z.strictObject(range);
export const costQuery = z.strictObject({ groupBy: z.enum(COST_GROUPS).default('day'), ...range });
export const failuresQuery = z.strictObject({ groupBy: failureGroups.default('reason'), ...range });
export const endedRunsQuery = z.strictObject({ groupBy: z.enum(RUN_GROUPS).default('status'), ...range });

export const operatorMetricsQuery = z.strictObject({ ...range, ...ofTenant });
export const operatorCostQuery = z.strictObject({
  groupBy: z.enum(OPERATOR_COST_GROUPS).default('day'),
  ...range,
  ...ofTenant,
});
export const operatorFailuresQuery = z.strictObject({
  groupBy: failureGroups.default('reason'),
  ...range,
  ...ofTenant,
});
export const operatorEndedRunsQuery = z.strictObject({
  groupBy: z.enum(OPERATOR_RUN_GROUPS).default('status'),
  ...range,
  ...ofTenant,
});
export const operatorPresentQuery = z.strictObject(ofTenant);

const count = z.number().int().min(0);
const during = { from: instant, to: instant };

/**
 * One part of a whole. `at`: when its day or hour begins, where those are told apart. `key`: the agent, `provider/model`,
 * tool, subject, status or tenant; null where there is none (a run without a subject, a reply that asked for no tool),
 * where only times are told apart, and for `others`: all but the hundred dearest together.
 */
const group = { at: instant.nullable(), key: z.string().nullable(), others: z.boolean() };

/**
 * What model calls cost, each in the hour in which it was settled. By tool: a reply's cost belongs in equal parts to the
 * calls that it asked for. The parts always add up to the total, to the last digit.
 */
export const costMetrics = z
  .strictObject({
    ...during,
    groupBy: z.enum(OPERATOR_COST_GROUPS),
    total: z.strictObject({ costUsd: usd, wasteUsd: usd }),
    data: z.array(z.strictObject({ ...group, costUsd: usd, wasteUsd: usd })),
  })
  .meta({ id: 'CostMetrics' });
export type CostMetrics = z.output<typeof costMetrics>;

/** Runs that ended, each in the hour of its end, with all that it cost. */
export const endedRunMetrics = z
  .strictObject({
    ...during,
    groupBy: z.enum(OPERATOR_RUN_GROUPS),
    total: z.strictObject({ runs: count, costUsd: usd, wasteUsd: usd }),
    data: z.array(z.strictObject({ ...group, runs: count, costUsd: usd, wasteUsd: usd })),
  })
  .meta({ id: 'EndedRunMetrics' });
export type EndedRunMetrics = z.output<typeof endedRunMetrics>;

/**
 * What went wrong, by reason (runs that ended failed, refused or incomplete, of all that ended; a cause is how they
 * ended), tool (calls that failed or whose outcome is unknown, of all that ended) or provider (attempts that gave no reply, of all).
 */
export const failureMetrics = z
  .strictObject({
    ...during,
    groupBy: failureGroups,
    total: count,
    failures: count,
    data: z.array(
      z.strictObject({
        key: z.string(),
        total: count,
        failures: count,
        causes: z.array(z.strictObject({ code: z.string(), failures: count })),
      }),
    ),
  })
  .meta({ id: 'FailureMetrics' });
export type FailureMetrics = z.output<typeof failureMetrics>;

/** Milliseconds, each at most 1.6 % off (1/64); exact below 64. Null where nothing was measured. */
const durations = z
  .strictObject({
    count,
    p50Ms: z.number().int().nullable(),
    p95Ms: z.number().int().nullable(),
    p99Ms: z.number().int().nullable(),
  })
  .meta({ id: 'Durations' });
export type Durations = z.output<typeof durations>;

/** How long things took that were over in this time: waits for a worker, replies, tool calls that ran, decisions. */
export const latencyMetrics = z
  .strictObject({
    ...during,
    queueWait: durations,
    model: durations,
    tool: durations,
    approvalWait: durations,
  })
  .meta({ id: 'LatencyMetrics' });
export type LatencyMetrics = z.output<typeof latencyMetrics>;

const endings = { approved: count, edited: count, rejected: count, expired: count, cancelled: count };

/** What became of approvals. `edited` are those of the approved whose arguments a reviewer changed. */
export const approvalMetrics = z
  .strictObject({
    ...during,
    /** Right now. */
    pending: count,
    ...endings,
    decisionTime: durations,
    /** By the rule that asked, those that asked most first. */
    rules: z.array(z.strictObject({ tool: z.string(), policyRule: z.string(), ...endings })),
  })
  .meta({ id: 'ApprovalMetrics' });
export type ApprovalMetrics = z.output<typeof approvalMetrics>;

const present = { queued: count, running: count, waiting: count, oldestQueuedAt: instant.nullable() };

/** Runs under way right now. */
export const presentMetrics = z.strictObject(present).meta({ id: 'PresentMetrics' });
export type PresentMetrics = z.output<typeof presentMetrics>;

export const operatorPresentMetrics = z
  .strictObject({ data: z.array(z.strictObject({ tenant: z.string(), ...present })) })
  .meta({ id: 'OperatorPresentMetrics' });
export type OperatorPresentMetrics = z.output<typeof operatorPresentMetrics>;

/** Who waits for a worker, those who wait the longest first, and which workers hold runs. */
export const operatorQueue = z
  .strictObject({
    data: z.array(
      z.strictObject({
        tenant: z.string(),
        queued: count,
        running: count,
        oldestQueuedAt: instant.nullable(),
      }),
    ),
    workers: z.array(z.strictObject({ worker: z.string(), running: count })),
  })
  .meta({ id: 'OperatorQueue' });
export type OperatorQueue = z.output<typeof operatorQueue>;
