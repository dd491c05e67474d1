import { runChange } from '@countersign/contracts';
import { Controller, Inject, Res } from '@nestjs/common';
import { Caller, Route } from '../platform/route.controller.js';
import type { HttpResponse, TenantScope } from '../platform/tenant-context.js';
import { closedSignal } from './closed-signal.js';
import { RUN_VERBS, type RunVerbs } from './run-verbs.js';
import { openStream } from './sse.js';
import { streamChanges } from './stream-changes.js';
import { StreamLimit } from './stream-limit.js';

/** `/v1/changes`: that something moved, for whoever shows lists. */
@Controller()
export class ChangesController {
  constructor(
    private readonly limit: StreamLimit,
    @Inject(RUN_VERBS) private readonly verbs: RunVerbs,
  ) {}

  @Route({
    method: 'GET',
    path: '/v1/changes',
    access: 'runs:read',
    summary:
      'A stream of hints: `event: run` whenever a run of the tenant moves. Some may be lost: look again now and then.',
    ok: runChange,
    stream: 'only',
    problems: ['too_many_streams'],
  })
  async changes(@Caller() { tenant }: TenantScope, @Res() response: HttpResponse): Promise<void> {
    const giveBack = this.limit.take(tenant);
    try {
      const signal = closedSignal(response);
      await streamChanges(this.verbs, tenant, response, () => openStream(response), signal);
    } finally {
      giveBack();
    }
  }
}
