import { breaker, breakerReset } from '@countersign/contracts';
import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { isId } from '../../platform/ids.js';
import type { Log } from '../../platform/log.js';
import { notFound, Problem } from '../../platform/problem.js';
import { Caller, Params, Route } from '../../platform/route.controller.js';
import type { TenantScope } from '../../platform/tenant-context.js';
import { LOG } from '../../platform/tokens.js';
import { BreakerRepository, type BreakerRow } from './breaker.repository.js';

const breakerPath = z.object({ id: z.string().refine((id) => isId('brk', id)) });

/** `/v1/breakers`: which tools and providers are failing, and which are not called for that reason. */
@Controller()
export class BreakersController {
  constructor(
    private readonly breakers: BreakerRepository,
    @Inject(LOG) private readonly log: Log,
  ) {}

  @Route({
    method: 'GET',
    path: '/v1/breakers',
    access: 'agents:read',
    summary: 'Circuit breakers with failures that stand, those that are open first.',
    ok: z.strictObject({ data: z.array(breaker), nextCursor: z.null() }),
  })
  async list(@Caller() { tenant }: TenantScope): Promise<object> {
    const breakers = await this.breakers.list(tenant);
    return { data: breakers.map(breakerView), nextCursor: null };
  }

  @Route({
    method: 'POST',
    path: '/v1/breakers/{id}/reset',
    access: 'operator_role',
    summary: 'Closes a circuit breaker of the tenant\u2019s own. Runs that wait for it go on.',
    params: breakerPath,
    ok: breakerReset,
    problems: ['set_by_operator'],
  })
  async reset(
    @Caller() { tenant, actor }: TenantScope,
    @Params() { id }: { readonly id: string },
  ): Promise<object> {
    switch (await this.breakers.reset(tenant, id)) {
      case 'reset':
        this.log.info({ tenant, breaker: id, by: actor }, 'a circuit breaker was reset');
        return { id, state: 'closed' };
      case 'shared':
        throw new Problem(
          'set_by_operator',
          'The provider is called with the deployment\u2019s key: its breaker is shared, and closes by itself.',
        );
      case 'unknown':
        throw notFound('breaker');
    }
  }
}

function breakerView({ openedAt, retryAt, ...rest }: BreakerRow): object {
  const instantOf = (at: number | null) => (at === null ? null : new Date(at));
  return { ...rest, openedAt: instantOf(openedAt), retryAt: instantOf(retryAt) };
}
