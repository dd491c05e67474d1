import {
  type OutcomeListQuery,
  outcomeListQuery,
  outcomePage,
  type SettleOutcome,
  settleOutcome as settleOutcomeBody,
  toolCall,
} from '@countersign/contracts';
import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { isId } from '../platform/ids.js';
import { type Page, pageRequest, toPage } from '../platform/page.js';
import { notFound } from '../platform/problem.js';
import { Body, Caller, Params, Query, Route } from '../platform/route.controller.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { toolCallView } from '../runs/mapper.js';
import { RunRepository } from '../runs/run.repository.js';
import { APPROVAL_VERBS, type ApprovalVerbs } from './approval-verbs.js';
import { outcomeView } from './mapper.js';
import { OutcomeRepository } from './outcome.repository.js';
import { settleOutcome } from './settle-outcome.js';

const byCall = z.object({
  runId: z.string().refine((value) => isId('run', value)),
  toolCallId: z.string().refine((value) => isId('tcl', value)),
});
type ByCall = z.output<typeof byCall>;

const EFFECT_PLACE = /^eff_[0-9a-z]{26}(_[0-9]{1,4})?$/;

/** Effects of which nobody knows whether they happened. */
@Controller()
export class OutcomesController {
  constructor(
    private readonly outcomes: OutcomeRepository,
    private readonly runs: RunRepository,
    @Inject(APPROVAL_VERBS) private readonly verbs: ApprovalVerbs,
  ) {}

  @Route({
    method: 'GET',
    path: '/v1/outcomes',
    access: 'approvals:read',
    summary: 'Calls whose outcome is unknown, newest first, whether their run waits or has ended.',
    query: outcomeListQuery,
    ok: outcomePage,
  })
  async list(@Caller() { tenant }: TenantScope, @Query() query: OutcomeListQuery): Promise<Page<object>> {
    const request = pageRequest(tenant, query, EFFECT_PLACE);
    const rows = await this.outcomes.pending(tenant, request);
    return toPage(tenant, request, rows, ({ effect }) => effect.id, outcomeView);
  }

  @Route({
    method: 'POST',
    path: '/v1/runs/{runId}/tool-calls/{toolCallId}/outcome',
    access: 'approvals:decide',
    summary: 'Says whether a call of unknown outcome happened.',
    params: byCall,
    body: settleOutcomeBody,
    ok: toolCall,
    problems: ['outcome_not_expected', 'conflict'],
  })
  async settle(
    @Caller() scope: TenantScope,
    @Params() place: ByCall,
    @Body() body: SettleOutcome,
  ): Promise<object> {
    await settleOutcome(this.verbs, scope, place, body);
    const [run, call] = await Promise.all([
      this.runs.find(scope.tenant, place.runId),
      this.runs.findToolCall(scope.tenant, place.runId, place.toolCallId),
    ]);
    if (run === null || call === null) throw notFound('tool call');
    return toolCallView(call, run.operationId);
  }
}
