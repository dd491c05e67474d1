import {
  approvalMetrics,
  costMetrics,
  costQuery,
  endedRunMetrics,
  endedRunsQuery,
  failureMetrics,
  failuresQuery,
  latencyMetrics,
  metricsQuery,
  presentMetrics,
} from '@countersign/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import type { Clock } from '../platform/clock.js';
import { Caller, Query, Route } from '../platform/route.controller.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { CLOCK } from '../platform/tokens.js';
import * as failures from './failure-metrics.js';
import { presentView } from './group-view.js';
import { rangeOf } from './metric-range.js';
import { MetricsRepository, type Whose } from './metrics.repository.js';
import * as read from './read-metrics.js';

/** `/v1/metrics`: what a tenant's runs cost, how they end and how long things take. */
@Controller()
export class MetricsController {
  constructor(
    private readonly metrics: MetricsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Route({
    method: 'GET',
    path: '/v1/metrics/cost',
    access: 'metrics:read',
    summary: 'What model calls cost, by the hour in which each was settled.',
    query: costQuery,
    ok: costMetrics,
  })
  cost(@Caller() scope: TenantScope, @Query() query: z.output<typeof costQuery>): Promise<object> {
    return read.costMetrics(this.metrics, own(scope), query.groupBy, rangeOf(query, this.clock.now()));
  }

  @Route({
    method: 'GET',
    path: '/v1/metrics/runs',
    access: 'metrics:read',
    summary: 'How runs ended, and what those cost.',
    query: endedRunsQuery,
    ok: endedRunMetrics,
  })
  runs(@Caller() scope: TenantScope, @Query() query: z.output<typeof endedRunsQuery>): Promise<object> {
    return read.endedRunMetrics(this.metrics, own(scope), query.groupBy, rangeOf(query, this.clock.now()));
  }

  @Route({
    method: 'GET',
    path: '/v1/metrics/failures',
    access: 'metrics:read',
    summary: 'What went wrong, by the reason of runs, by tool or by provider.',
    query: failuresQuery,
    ok: failureMetrics,
  })
  failures(@Caller() scope: TenantScope, @Query() query: z.output<typeof failuresQuery>): Promise<object> {
    return failures.failureMetrics(this.metrics, own(scope), query.groupBy, rangeOf(query, this.clock.now()));
  }

  @Route({
    method: 'GET',
    path: '/v1/metrics/latency',
    access: 'metrics:read',
    summary: 'Percentiles of waits for a worker, replies, tool calls and decisions.',
    query: metricsQuery,
    ok: latencyMetrics,
  })
  latency(@Caller() scope: TenantScope, @Query() query: z.output<typeof metricsQuery>): Promise<object> {
    return read.latencyMetrics(this.metrics, own(scope), rangeOf(query, this.clock.now()));
  }

  @Route({
    method: 'GET',
    path: '/v1/metrics/approvals',
    access: 'metrics:read',
    summary: 'What became of approvals, by the rules that asked for them, and how long people took.',
    query: metricsQuery,
    ok: approvalMetrics,
  })
  approvals(@Caller() scope: TenantScope, @Query() query: z.output<typeof metricsQuery>): Promise<object> {
    return read.approvalMetrics(this.metrics, own(scope), rangeOf(query, this.clock.now()));
  }

  @Route({
    method: 'GET',
    path: '/v1/metrics/present',
    access: 'metrics:read',
    summary: 'Runs under way right now.',
    ok: presentMetrics,
  })
  async present(@Caller() scope: TenantScope): Promise<object> {
    const [present] = await this.metrics.present(own(scope));
    if (present === undefined) throw new Error('a tenant has no present');
    const { tenant: _, ...view } = presentView(present);
    return view;
  }
}

function own({ tenant }: TenantScope): Whose {
  return { type: 'tenant', tenant };
}
