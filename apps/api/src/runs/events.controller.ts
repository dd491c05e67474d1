import { runEventPage, runEventQuery } from '@countersign/contracts';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import { z } from 'zod';
import { isId } from '../platform/ids.js';
import { invalidContent, notFound } from '../platform/problem.js';
import { Caller, Params, Query, Route } from '../platform/route.controller.js';
import type { HttpRequest, HttpResponse, TenantScope } from '../platform/tenant-context.js';
import { closedSignal } from './closed-signal.js';
import { eventView } from './event-view.js';
import { hasEnded } from './mapper.js';
import { RunRepository, type RunRow } from './run.repository.js';
import { RUN_VERBS, type RunVerbs } from './run-verbs.js';
import { openStream } from './sse.js';
import { streamEvents } from './stream-events.js';
import { StreamLimit } from './stream-limit.js';

const byRun = z.object({ runId: z.string().refine((value) => isId('run', value)) });

const EVENTS = 50;

/** `/v1/runs/{runId}/events`: what happened in a run, as a list or as a stream. */
@Controller()
export class EventsController {
  constructor(
    private readonly runs: RunRepository,
    private readonly limit: StreamLimit,
    @Inject(RUN_VERBS) private readonly verbs: RunVerbs,
  ) {}

  @Route({
    method: 'GET',
    path: '/v1/runs/{runId}/events',
    access: 'runs:read',
    summary: 'Events, oldest first; as text/event-stream each as it is stored, resumed by Last-Event-ID.',
    params: byRun,
    query: runEventQuery,
    ok: runEventPage,
    stream: 'also',
    problems: ['too_many_streams'],
  })
  async events(
    @Caller() { tenant }: TenantScope,
    @Params() { runId }: z.output<typeof byRun>,
    @Query() { after = 0, limit = EVENTS }: z.output<typeof runEventQuery>,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const run = await this.runs.find(tenant, runId);
    if (run === null) throw notFound('run');
    if (wantsStream(request)) {
      await this.stream(run, lastEventId(request) ?? after, response);
      return;
    }
    const rows = await this.verbs.eventsAfter(tenant, runId, after, limit + 1);
    const data = rows.slice(0, limit).map(eventView);
    const last = data.at(-1);
    response.json({ data, nextCursor: rows.length > limit && last !== undefined ? String(last.seq) : null });
  }

  /** A reader who has everything of a run that has ended is told so (204), which keeps browsers from coming back. */
  private async stream(run: RunRow, after: number, response: HttpResponse): Promise<void> {
    const ended = hasEnded(run);
    if (ended && after >= run.seq) {
      response.statusCode = 204;
      response.end();
      return;
    }
    const giveBack = this.limit.take(run.tenantId);
    try {
      openStream(response);
      const request = { tenant: run.tenantId, runId: run.id, after, ended };
      await streamEvents(this.verbs, request, response, closedSignal(response));
    } finally {
      giveBack();
    }
  }
}

function wantsStream(request: HttpRequest): boolean {
  return (request.headers.accept ?? '').includes('text/event-stream');
}

/** @throws Problem invalid_content where it is no seq. */
function lastEventId(request: HttpRequest): number | null {
  const header = request.headers['last-event-id'];
  if (header === undefined || header === '') return null;
  if (typeof header === 'string' && /^[0-9]{1,9}$/.test(header)) return Number(header);
  throw invalidContent({ path: 'Last-Event-ID', message: 'takes the seq of an event' });
}
