import type { FailureGrouping, FailureMetrics } from '@countersign/contracts';
import { rangeView } from './group-view.js';
import type {
  Dimension,
  Measure,
  MetricGroup,
  MetricRange,
  MetricsRepository,
  Whose,
} from './metrics.repository.js';
import { ALL } from './read-metrics.js';

interface Failing {
  readonly measure: Measure;
  readonly by: readonly Dimension[];
  /** What a part is told by, and why it failed; null where it did not. */
  readonly read: (keys: NonNullable<MetricGroup['keys']>) => {
    readonly key: string | null;
    readonly cause: string | null;
  };
}

const NOT_A_SUCCESS: ReadonlySet<string> = new Set(['failed', 'refused', 'incomplete']);
const NOT_DONE: ReadonlySet<string> = new Set(['failed', 'unknown']);

/** A run that is none of the failed has no key: it counts in the total of all. */
const FAILING: Readonly<Record<FailureGrouping, Failing>> = {
  reason: {
    measure: 'run',
    by: ['second', 'third'],
    read: ([, , status, reason]) =>
      NOT_A_SUCCESS.has(status) ? { key: reason || status, cause: status } : { key: null, cause: null },
  },
  tool: {
    measure: 'tool_call',
    by: ['first', 'second', 'third'],
    read: ([, tool, status, code]) => ({ key: tool, cause: NOT_DONE.has(status) ? code || status : null }),
  },
  provider: {
    measure: 'model_call',
    by: ['second', 'fourth'],
    read: ([, , provider, , failure]) => ({ key: provider, cause: failure || null }),
  },
};

/** What went wrong; parts without a failure are given too, since a rate needs them, but reasons only where they occur. */
export async function failureMetrics(
  metrics: MetricsRepository,
  whose: Whose,
  groupBy: FailureGrouping,
  range: MetricRange,
): Promise<FailureMetrics> {
  const { measure, by, read } = FAILING[groupBy];
  const groups = await metrics.groups(whose, measure, range, by, ALL);
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const parts = new Map<string, { total: number; causes: Map<string, number> }>();
  for (const { keys, count } of groups) {
    const { key, cause } = keys === null ? { key: null, cause: null } : read(keys);
    if (key === null) continue;
    const part = parts.get(key) ?? { total: 0, causes: new Map<string, number>() };
    parts.set(key, part);
    part.total += count;
    if (cause !== null) part.causes.set(cause, (part.causes.get(cause) ?? 0) + count);
  }
  const data = [...parts]
    .map(([key, part]) => ({
      key,
      total: groupBy === 'reason' ? total : part.total,
      failures: [...part.causes.values()].reduce((sum, count) => sum + count, 0),
      causes: [...part.causes]
        .map(([code, failures]) => ({ code, failures }))
        .sort((a, b) => b.failures - a.failures),
    }))
    .sort((a, b) => b.failures - a.failures || b.total - a.total);
  return {
    ...rangeView(range),
    groupBy,
    total,
    failures: data.reduce((sum, part) => sum + part.failures, 0),
    data,
  };
}
