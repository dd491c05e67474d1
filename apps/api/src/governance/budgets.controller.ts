import { type BudgetPath, type BudgetPut, budget, budgetPath, budgetPut } from '@countersign/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { Problem } from '../platform/problem.js';
import { Body, Caller, Params, Route } from '../platform/route.controller.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { BudgetRepository, type BudgetState } from './budget.repository.js';

/** `/v1/budgets`: how much may be spent on models, by tenant, agent and subject. */
@Controller()
export class BudgetsController {
  constructor(private readonly budgets: BudgetRepository) {}

  @Route({
    method: 'GET',
    path: '/v1/budgets',
    access: 'agents:read',
    summary: 'Every budget with its current window.',
    ok: z.strictObject({ data: z.array(budget), nextCursor: z.null() }),
  })
  async list(@Caller() { tenant }: TenantScope): Promise<object> {
    const budgets = await this.budgets.list(tenant);
    return { data: budgets.map(budgetView), nextCursor: null };
  }

  @Route({
    method: 'PUT',
    path: '/v1/budgets/{scope}/{period}',
    access: 'budgets:write',
    summary: 'Sets a limit. What the operator has set can be lowered, not raised.',
    params: budgetPath,
    body: budgetPut,
    ok: budget,
    problems: ['set_by_operator'],
  })
  async put(
    @Caller() { tenant }: TenantScope,
    @Params() { scope, period }: BudgetPath,
    @Body() { limitUsd }: BudgetPut,
  ): Promise<object> {
    const outcome = await this.budgets.put(tenant, { scope, period, limitUsd, setBy: 'tenant' });
    if (outcome === 'set_by_operator') {
      throw new Problem(
        'set_by_operator',
        'The operator has set this budget: it can be lowered, not raised.',
      );
    }
    const budgets = await this.budgets.list(tenant);
    const written = budgets.find((each) => each.scope === scope && each.period === period);
    if (written === undefined) throw new Error('a budget that was set is not there');
    return budgetView(written);
  }
}

function budgetView({ resetsAt, ...rest }: BudgetState): object {
  return { ...rest, resetsAt: resetsAt === null ? null : new Date(resetsAt) };
}
