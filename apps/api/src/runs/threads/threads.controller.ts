import { type StartThread, startThread, thread } from '@countersign/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import type { CreatedId } from '../../platform/idempotency.js';
import { isId } from '../../platform/ids.js';
import { invalidContent, notFound } from '../../platform/problem.js';
import { raw } from '../../platform/reply.js';
import { Body, Caller, NewId, Params, Route } from '../../platform/route.controller.js';
import type { TenantScope } from '../../platform/tenant-context.js';
import { payload } from '../payload.js';
import { type Thread, ThreadRepository } from './thread.repository.js';

const byThread = z.object({ threadId: z.string().refine((value) => isId('thr', value)) });
type ByThread = z.output<typeof byThread>;

/** `/v1/threads`: conversations over several runs. Runs are posted to them by `POST /v1/runs`. */
@Controller()
export class ThreadsController {
  constructor(private readonly threads: ThreadRepository) {}

  @Route({
    method: 'POST',
    path: '/v1/threads',
    access: 'runs:write',
    summary: 'Begins a conversation of one subject, over as many runs as it takes.',
    body: startThread,
    ok: thread,
    status: 201,
    idempotent: {},
  })
  async start(
    @Caller() { tenant }: TenantScope,
    @Body() body: StartThread,
    @NewId('thr') { id, mayExist }: CreatedId,
  ): Promise<object> {
    const known = mayExist ? await this.threads.find(tenant, id) : null;
    if (known !== null) return threadView(known);
    const subject = payload(body.subject, '/subject');
    if (subject === null) throw invalidContent({ path: '/subject', message: 'is required' });
    return threadView(await this.threads.create(tenant, id, subject));
  }

  @Route({
    method: 'GET',
    path: '/v1/threads/{threadId}',
    access: 'runs:read',
    summary: 'A conversation. Its runs are those of `GET /v1/runs?threadId`.',
    params: byThread,
    ok: thread,
  })
  async get(@Caller() { tenant }: TenantScope, @Params() { threadId }: ByThread): Promise<object> {
    const found = await this.threads.find(tenant, threadId);
    if (found === null) throw notFound('thread');
    return threadView(found);
  }
}

function threadView({ id, subject, createdAt }: Thread): object {
  return { id, subject: raw(subject), createdAt: createdAt.toISOString() };
}
