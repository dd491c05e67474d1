import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { type ReadinessCheck, readiness } from './health.js';
import { readinessDocument } from './health-server.js';
import { Reply } from './reply.js';
import { Route } from './route.controller.js';
import { READINESS_CHECKS } from './tokens.js';

const health = z.strictObject({ status: z.literal('ok') });
const ready = z.strictObject({ status: z.string(), checks: z.record(z.string(), z.string()) });

/** Whether this process lives, and whether it may be given work. */
@Controller()
export class HealthController {
  constructor(@Inject(READINESS_CHECKS) private readonly checks: readonly ReadinessCheck[]) {}

  @Route({ method: 'GET', path: '/healthz', access: 'public', summary: 'Is the process alive?', ok: health })
  health(): z.output<typeof health> {
    return { status: 'ok' };
  }

  @Route({
    method: 'GET',
    path: '/readyz',
    access: 'public',
    summary: 'Can the process work: database and queue reachable, migrations applied? 503 where not.',
    ok: ready,
  })
  async ready(): Promise<Reply> {
    const state = await readiness(this.checks);
    return new Reply(state.ready ? 200 : 503, readinessDocument(state));
  }
}
