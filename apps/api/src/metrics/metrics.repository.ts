import { callLongFunction, type Database } from '../platform/database.js';

/** Whose metrics: a tenant's own, or, for the operator of the platform, one tenant's (id or slug) or (null) all. */
export type Whose =
  | { readonly type: 'tenant'; readonly tenant: string }
  | { readonly type: 'operator'; readonly tenant: string | null };

/** Whole hours, in milliseconds: from the first to before the last. */
export interface MetricRange {
  readonly from: number;
  readonly to: number;
}

/** What is counted, with the keys that it is counted by: see run_metrics in prisma/migrations. */
export type Measure = 'model_call' | 'subject' | 'tool_cost' | 'tool_call' | 'run' | 'approval' | 'duration';

/** What can be told apart: tenants, days or hours, and the measure's own keys in their order. */
export type Dimension = 'tenant' | 'day' | 'hour' | 'first' | 'second' | 'third' | 'fourth';

/** One part of a measure. Of `keys`, those that are not told apart are empty. */
export interface MetricGroup {
  /** The first moment of the day or hour, in milliseconds; null where those are not told apart. */
  readonly at: number | null;
  /** Null for `others`. */
  readonly keys:
    | readonly [tenant: string, first: string, second: string, third: string, fourth: string]
    | null;
  readonly others: boolean;
  readonly count: number;
  readonly costUsd: string;
  readonly wasteUsd: string;
}

/** What a tenant has under way; milliseconds. */
export interface Present {
  readonly tenant: string;
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  readonly oldestQueuedAt: number | null;
  readonly approvals: number;
}

/** Figures over the runs of a tenant, or of all: exact at the moment of asking. */
/** Of each tenant with runs that wait or run; milliseconds. `worker` is the name under which one holds its leases. */
export interface QueueState {
  readonly data: readonly Omit<Present, 'waiting'>[];
  readonly workers: readonly { readonly worker: string; readonly running: number }[];
}

export class MetricsRepository {
  constructor(private readonly database: Database) {}

  /** The `most` dearest keys, and the rest as one more. @throws DatabaseError */
  async groups(
    whose: Whose,
    measure: Measure,
    { from, to }: MetricRange,
    by: readonly Dimension[],
    most: number,
  ): Promise<readonly MetricGroup[]> {
    const name = whose.type === 'operator' ? 'operator_metrics' : 'metrics_of';
    const given = { tenant: whose.tenant, measure, from, to, by, most };
    return JSON.parse(await callLongFunction<string>(this.database, name, given)) as readonly MetricGroup[];
  }

  /** One for each tenant. @throws DatabaseError */
  async present({ type, tenant }: Whose): Promise<readonly Present[]> {
    const name = type === 'operator' ? 'operator_present' : 'present_of';
    return JSON.parse(await callLongFunction<string>(this.database, name, { tenant })) as readonly Present[];
  }

  /** Who waits for a worker in all tenants, and the workers that hold runs. @throws DatabaseError */
  async queue(): Promise<QueueState> {
    return JSON.parse(await callLongFunction<string>(this.database, 'operator_queue', {})) as QueueState;
  }
}
