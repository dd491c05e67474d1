import { addUsd, formatUsd, parseUsd } from '@countersign/agent-core';
import type { Dimension, MetricGroup, MetricRange, Present, QueueState } from './metrics.repository.js';

/** The hours of an answer as RFC 3339. */
export function rangeView({ from, to }: MetricRange): { readonly from: string; readonly to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** What is told apart by a `groupBy`: dimensions, of which all but the time make one key, joined by `/`. */
function keyOf({ keys }: MetricGroup, by: readonly Dimension[]): string | null {
  if (keys === null) return null;
  const [tenant, first, second, third, fourth] = keys;
  const named = { tenant, first, second, third, fourth };
  return (
    by
      .flatMap((dimension) => (dimension === 'day' || dimension === 'hour' ? [] : named[dimension]))
      .join('/') || null
  );
}

/** Time, key and money of a part. */
export function groupView(group: MetricGroup, by: readonly Dimension[]) {
  return {
    at: group.at === null ? null : new Date(group.at).toISOString(),
    key: keyOf(group, by),
    others: group.others,
    ...moneyView(group),
  };
}

interface Money {
  readonly costUsd: string;
  readonly wasteUsd: string;
}

function moneyView({ costUsd, wasteUsd }: Money): Money {
  return { costUsd: formatUsd(parseUsd(costUsd)), wasteUsd: formatUsd(parseUsd(wasteUsd)) };
}

/** The exact sum. */
export function sumOf(parts: readonly Money[]): Money {
  return parts.reduce(
    (sum, part) => ({
      costUsd: addUsd(sum.costUsd, part.costUsd),
      wasteUsd: addUsd(sum.wasteUsd, part.wasteUsd),
    }),
    moneyView({ costUsd: '0', wasteUsd: '0' }),
  );
}

/** What a tenant has under way. */
export function presentView({ tenant, queued, running, waiting, oldestQueuedAt }: Present) {
  return { tenant, queued, running, waiting, oldestQueuedAt: momentOf(oldestQueuedAt) };
}

export function queueView({ data, workers }: QueueState) {
  return {
    data: data.map(({ oldestQueuedAt, ...queue }) => ({
      ...queue,
      oldestQueuedAt: momentOf(oldestQueuedAt),
    })),
    workers,
  };
}

function momentOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
