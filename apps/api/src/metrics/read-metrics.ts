import type {
  ApprovalMetrics,
  CostGrouping,
  CostMetrics,
  EndedRunMetrics,
  LatencyMetrics,
  RunGrouping,
} from '@countersign/contracts';
import { groupView, rangeView, sumOf } from './group-view.js';
import { durationsOf } from './histogram.js';
import { refuseManyHours } from './metric-range.js';
import type {
  Dimension,
  Measure,
  MetricGroup,
  MetricRange,
  MetricsRepository,
  Whose,
} from './metrics.repository.js';

/** Of agents, models, tools and subjects so many are told apart; the rest is one more. */
const MOST = 100;
/** Of what is bounded by how the product is built: endings, rules, places of a histogram. */
export const ALL = 10_000;

interface Grouping {
  readonly measure: Measure;
  readonly by: readonly Dimension[];
}

const COSTS: Readonly<Record<CostGrouping, Grouping>> = {
  agent: { measure: 'model_call', by: ['first'] },
  model: { measure: 'model_call', by: ['second', 'third'] },
  tool: { measure: 'tool_cost', by: ['first'] },
  subject: { measure: 'subject', by: ['first'] },
  tenant: { measure: 'model_call', by: ['tenant'] },
  day: { measure: 'model_call', by: ['day'] },
  'day,agent': { measure: 'model_call', by: ['day', 'first'] },
  'day,model': { measure: 'model_call', by: ['day', 'second', 'third'] },
  'day,tool': { measure: 'tool_cost', by: ['day', 'first'] },
  'day,tenant': { measure: 'model_call', by: ['day', 'tenant'] },
  hour: { measure: 'model_call', by: ['hour'] },
  'hour,agent': { measure: 'model_call', by: ['hour', 'first'] },
  'hour,model': { measure: 'model_call', by: ['hour', 'second', 'third'] },
  'hour,tool': { measure: 'tool_cost', by: ['hour', 'first'] },
  'hour,tenant': { measure: 'model_call', by: ['hour', 'tenant'] },
};

/** What model calls cost. */
export async function costMetrics(
  metrics: MetricsRepository,
  whose: Whose,
  groupBy: CostGrouping,
  range: MetricRange,
): Promise<CostMetrics> {
  const { measure, by } = COSTS[groupBy];
  if (by.includes('hour')) refuseManyHours(range);
  const groups = await metrics.groups(whose, measure, range, by, MOST);
  const data = groups.map((group) => groupView(group, by));
  return { ...rangeView(range), groupBy, total: sumOf(data), data };
}

const RUNS: Readonly<Record<RunGrouping, readonly Dimension[]>> = {
  status: ['second'],
  agent: ['first'],
  tenant: ['tenant'],
  day: ['day'],
  'day,status': ['day', 'second'],
};

/** How runs ended, and what those cost. */
export async function endedRunMetrics(
  metrics: MetricsRepository,
  whose: Whose,
  groupBy: RunGrouping,
  range: MetricRange,
): Promise<EndedRunMetrics> {
  const by = RUNS[groupBy];
  const groups = await metrics.groups(whose, 'run', range, by, MOST);
  const data = groups.map((group) => ({ ...groupView(group, by), runs: group.count }));
  const runs = groups.reduce((sum, { count }) => sum + count, 0);
  return { ...rangeView(range), groupBy, total: { runs, ...sumOf(data) }, data };
}

/** How long things took. */
export async function latencyMetrics(
  metrics: MetricsRepository,
  whose: Whose,
  range: MetricRange,
): Promise<LatencyMetrics> {
  const groups = await metrics.groups(whose, 'duration', range, ['first', 'second'], ALL);
  return {
    ...rangeView(range),
    queueWait: durationsIn(groups, 'queue'),
    model: durationsIn(groups, 'model'),
    tool: durationsIn(groups, 'tool'),
    approvalWait: durationsIn(groups, 'approval'),
  };
}

function durationsIn(groups: readonly MetricGroup[], what: string) {
  return durationsOf(
    groups
      .filter(({ keys }) => keys?.[1] === what)
      .map(({ keys, count }) => ({ place: Number(keys?.[2]), count })),
  );
}

/** What became of approvals, by the rules that asked for them. */
export async function approvalMetrics(
  metrics: MetricsRepository,
  whose: Whose,
  range: MetricRange,
): Promise<ApprovalMetrics> {
  const by: readonly Dimension[] = ['first', 'second', 'third', 'fourth'];
  const [closed, durations, present] = await Promise.all([
    metrics.groups(whose, 'approval', range, by, ALL),
    metrics.groups(whose, 'duration', range, ['first', 'second'], ALL),
    metrics.present(whose),
  ]);
  const byRule = new Map<string, MetricGroup[]>();
  for (const group of closed) {
    const rule = JSON.stringify(group.keys?.slice(1, 3));
    byRule.set(rule, [...(byRule.get(rule) ?? []), group]);
  }
  return {
    ...rangeView(range),
    pending: present.reduce((sum, { approvals }) => sum + approvals, 0),
    ...endingsOf(closed),
    decisionTime: durationsIn(durations, 'approval'),
    rules: [...byRule.values()]
      .sort((a, b) => asked(b) - asked(a))
      .slice(0, MOST)
      .map((groups) => ({
        tool: groups[0]?.keys?.[1] ?? '',
        policyRule: groups[0]?.keys?.[2] ?? '',
        ...endingsOf(groups),
      })),
  };
}

function asked(groups: readonly MetricGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

function endingsOf(groups: readonly MetricGroup[]) {
  const ended = (status: string) => asked(groups.filter(({ keys }) => keys?.[3] === status));
  return {
    approved: ended('approved'),
    edited: asked(groups.filter(({ keys }) => keys?.[3] === 'approved' && keys[4] === 'edited')),
    rejected: ended('rejected'),
    expired: ended('expired'),
    cancelled: ended('cancelled'),
  };
}
