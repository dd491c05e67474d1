import {
  message,
  messageListQuery,
  modelCall,
  modelCallListQuery,
  type PageQuery,
  page,
  type RunListQuery,
  run,
  runListQuery,
  runQuery,
  runTrace,
  type StartRun,
  startRun as startRunBody,
  toolCall,
  toolCallListQuery,
} from '@countersign/contracts';
import { Controller, Inject, Res } from '@nestjs/common';
import { z } from 'zod';
import type { CreatedId } from '../platform/idempotency.js';
import { idPlace, isId } from '../platform/ids.js';
import { type Page, pageRequest, toPage } from '../platform/page.js';
import { notFound } from '../platform/problem.js';
import { Reply } from '../platform/reply.js';
import { Body, Caller, NewId, Params, Query, Route } from '../platform/route.controller.js';
import type { HttpResponse, TenantScope } from '../platform/tenant-context.js';
import { cancelRun } from './cancel-run.js';
import { closedSignal } from './closed-signal.js';
import { messageView, modelCallView, newRunView, runView, toolCallView } from './mapper.js';
import { MODEL_CALL_PLACE, PLACE } from './paging.js';
import { withReceived } from './received.js';
import { modelCallPlace, RunRepository, type RunRow } from './run.repository.js';
import { RUN_VERBS, type RunVerbs } from './run-verbs.js';
import { startRun } from './start-run.js';
import { type OpenModelCall, traceOf } from './trace.js';
import { waitForRun } from './wait-for-run.js';

const byRun = z.object({ runId: z.string().refine((value) => isId('run', value)) });
type ByRun = z.output<typeof byRun>;

/** `/v1/runs`: start, look at, wait for and cancel runs. */
@Controller()
export class RunsController {
  constructor(
    private readonly runs: RunRepository,
    @Inject(RUN_VERBS) private readonly verbs: RunVerbs,
  ) {}

  @Route({
    method: 'POST',
    path: '/v1/runs',
    access: 'runs:write',
    summary: 'Queues a run of an agent. Limits and budget may only be tighter than the agent’s.',
    body: startRunBody,
    ok: run,
    status: 202,
    problems: ['too_many_queued_runs', 'thread_busy', 'subject_mismatch'],
    idempotent: {},
  })
  async start(
    @Caller() scope: TenantScope,
    @Body() body: StartRun,
    @NewId('run') { id, mayExist }: CreatedId,
  ): Promise<object> {
    const known = mayExist ? await this.runs.find(scope.tenant, id) : null;
    if (known !== null) return runView(known);
    const started = await startRun(this.verbs, scope, body, id);
    return newRunView(started.run, started.metadata);
  }

  @Route({
    method: 'GET',
    path: '/v1/runs',
    access: 'runs:read',
    summary: 'Runs, newest first.',
    query: runListQuery,
    ok: page(run),
  })
  async list(@Caller() { tenant }: TenantScope, @Query() query: RunListQuery): Promise<Page<object>> {
    const request = pageRequest(tenant, query, idPlace('run'));
    const rows = await this.runs.list(tenant, query, request);
    return toPage(tenant, request, rows, ({ id }) => id, runView);
  }

  @Route({
    method: 'GET',
    path: '/v1/runs/{runId}',
    access: 'runs:read',
    summary: 'A run; with `wait`, once it has ended or waits on people or the app.',
    params: byRun,
    query: runQuery,
    ok: run,
  })
  async get(
    @Caller() { tenant }: TenantScope,
    @Params() { runId }: ByRun,
    @Query() { wait = 0 }: z.output<typeof runQuery>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<object> {
    const found =
      wait === 0
        ? await this.runs.find(tenant, runId)
        : await waitForRun(this.verbs, tenant, runId, wait, closedSignal(response));
    if (found === null) throw notFound('run');
    return runView(found);
  }

  @Route({
    method: 'POST',
    path: '/v1/runs/{runId}/cancel',
    access: 'runs:write',
    summary:
      'Asks for a run’s end: effects under way are settled first. A run that has ended stays as it is (200).',
    params: byRun,
    ok: run,
    status: 202,
  })
  async cancel(@Caller() scope: TenantScope, @Params() { runId }: ByRun): Promise<Reply> {
    const { endedBefore } = await cancelRun(this.verbs, scope, runId);
    return new Reply(endedBefore ? 200 : 202, runView(await this.require(scope.tenant, runId)));
  }

  @Route({
    method: 'GET',
    path: '/v1/runs/{runId}/messages',
    access: 'runs:read',
    summary: 'The conversation as the model saw it, oldest first; in a thread, what this run added to it.',
    params: byRun,
    query: messageListQuery,
    ok: page(message),
  })
  async messages(
    @Caller() { tenant }: TenantScope,
    @Params() { runId }: ByRun,
    @Query() query: PageQuery,
  ): Promise<Page<object>> {
    const request = pageRequest(tenant, query, PLACE);
    await this.require(tenant, runId);
    const rows = await this.runs.messages(tenant, runId, request);
    return toPage(tenant, request, rows, ({ turn, position }) => `${turn}:${position}`, messageView);
  }

  @Route({
    method: 'GET',
    path: '/v1/runs/{runId}/tool-calls',
    access: 'runs:read',
    summary: 'Tool calls, oldest first: what was asked, what was checked, what ran and what came of it.',
    params: byRun,
    query: toolCallListQuery,
    ok: page(toolCall),
  })
  async toolCalls(
    @Caller() { tenant }: TenantScope,
    @Params() { runId }: ByRun,
    @Query() query: PageQuery,
  ): Promise<Page<object>> {
    const request = pageRequest(tenant, query, PLACE);
    const { operationId } = await this.require(tenant, runId);
    const rows = await this.runs.toolCalls(tenant, runId, request);
    const place = (row: { turn: number; index: number }) => `${row.turn}:${row.index}`;
    return toPage(tenant, request, rows, place, (row) => toolCallView(row, operationId));
  }

  @Route({
    method: 'GET',
    path: '/v1/runs/{runId}/model-calls',
    access: 'runs:read',
    summary: 'Attempts at models, oldest first: what each was asked, used and cost, and how it ended.',
    params: byRun,
    query: modelCallListQuery,
    ok: page(modelCall),
  })
  async modelCalls(
    @Caller() { tenant }: TenantScope,
    @Params() { runId }: ByRun,
    @Query() query: PageQuery,
  ): Promise<Page<object>> {
    const request = pageRequest(tenant, query, MODEL_CALL_PLACE);
    await this.require(tenant, runId);
    const rows = await this.runs.modelCalls(tenant, runId, request);
    return toPage(tenant, request, rows, modelCallPlace, modelCallView);
  }

  @Route({
    method: 'GET',
    path: '/v1/runs/{runId}/trace',
    access: 'runs:read',
    summary: 'Where a run’s time and money went: waiting for a worker or a person, models, tools.',
    params: byRun,
    ok: runTrace,
  })
  async trace(@Caller() { tenant }: TenantScope, @Params() { runId }: ByRun): Promise<object> {
    const { openModelCall } = await this.require(tenant, runId);
    const events = await this.verbs.ledger.events(tenant, runId);
    const underWay = openModelCall === null ? null : (JSON.parse(openModelCall) as OpenModelCall);
    const identity = { id: runId, tenant };
    const spans = traceOf(identity, events, underWay);
    return { spans: await withReceived(this.verbs, identity, events, spans) };
  }

  private async require(tenant: string, runId: string): Promise<RunRow> {
    const found = await this.runs.find(tenant, runId);
    if (found === null) throw notFound('run');
    return found;
  }
}
