import {
  approvalMetrics,
  costMetrics,
  endedRunMetrics,
  failureMetrics,
  latencyMetrics,
  operatorCostQuery,
  operatorEndedRunsQuery,
  operatorFailuresQuery,
  operatorMetricsQuery,
  operatorPresentMetrics,
  operatorPresentQuery,
  operatorQueue,
} from '@countersign/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import type { Clock } from '../platform/clock.js';
import { Query, Route } from '../platform/route.controller.js';
import { CLOCK } from '../platform/tokens.js';
import * as failures from './failure-metrics.js';
import { presentView, queueView } from './group-view.js';
import { rangeOf } from './metric-range.js';
import { MetricsRepository, type Whose } from './metrics.repository.js';
import * as read from './read-metrics.js';

/** `/admin/v1/metrics`: the same figures over all tenants, or one of them; and the queue. */
@Controller()
export class OperatorMetricsController {
  constructor(
    private readonly metrics: MetricsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Route({
    method: 'GET',
    path: '/admin/v1/metrics/cost',
    access: 'operator',
    summary: 'What model calls of all tenants cost, by the hour in which each was settled.',
    query: operatorCostQuery,
    ok: costMetrics,
  })
  cost(@Query() query: z.output<typeof operatorCostQuery>): Promise<object> {
    return read.costMetrics(this.metrics, asked(query), query.groupBy, rangeOf(query, this.clock.now()));
  }

  @Route({
    method: 'GET',
    path: '/admin/v1/metrics/runs',
    access: 'operator',
    summary: 'How runs of all tenants ended, and what those cost.',
    query: operatorEndedRunsQuery,
    ok: endedRunMetrics,
  })
  runs(@Query() query: z.output<typeof operatorEndedRunsQuery>): Promise<object> {
    return read.endedRunMetrics(this.metrics, asked(query), query.groupBy, rangeOf(query, this.clock.now()));
  }

  @Route({
    method: 'GET',
    path: '/admin/v1/metrics/failures',
    access: 'operator',
    summary: 'What went wrong in all tenants, by the reason of runs, by tool or by provider.',
    query: operatorFailuresQuery,
    ok: failureMetrics,
  })
  failures(@Query() query: z.output<typeof operatorFailuresQuery>): Promise<object> {
    return failures.failureMetrics(
      this.metrics,
      asked(query),
      query.groupBy,
      rangeOf(query, this.clock.now()),
    );
  }

  @Route({
    method: 'GET',
    path: '/admin/v1/metrics/latency',
    access: 'operator',
    summary: 'Percentiles of waits for a worker, replies, tool calls and decisions in all tenants.',
    query: operatorMetricsQuery,
    ok: latencyMetrics,
  })
  latency(@Query() query: z.output<typeof operatorMetricsQuery>): Promise<object> {
    return read.latencyMetrics(this.metrics, asked(query), rangeOf(query, this.clock.now()));
  }

  @Route({
    method: 'GET',
    path: '/admin/v1/metrics/approvals',
    access: 'operator',
    summary: 'What became of approvals of all tenants, and how long people took.',
    query: operatorMetricsQuery,
    ok: approvalMetrics,
  })
  approvals(@Query() query: z.output<typeof operatorMetricsQuery>): Promise<object> {
    return read.approvalMetrics(this.metrics, asked(query), rangeOf(query, this.clock.now()));
  }

  @Route({
    method: 'GET',
    path: '/admin/v1/metrics/present',
    access: 'operator',
    summary: 'Runs under way right now, for each tenant.',
    query: operatorPresentQuery,
    ok: operatorPresentMetrics,
  })
  async present(@Query() query: z.output<typeof operatorPresentQuery>): Promise<object> {
    return { data: (await this.metrics.present(asked(query))).map(presentView) };
  }

  @Route({
    method: 'GET',
    path: '/admin/v1/queue',
    access: 'operator',
    summary: 'Who waits for a worker in all tenants, and for how long; and the workers that hold runs.',
    ok: operatorQueue,
  })
  async queue(): Promise<object> {
    return queueView(await this.metrics.queue());
  }
}

function asked({ tenant }: { readonly tenant?: string | undefined }): Whose {
  return { type: 'operator', tenant: tenant ?? null };
}
