import {
  type ApprovalListQuery,
  approval,
  approvalListQuery,
  approvalPage,
  approvalPrecedents,
  approvalPreview,
  approvalSummary,
  type DecideApproval,
  decideApproval as decideApprovalBody,
  type PreviewApproval,
  previewApproval,
} from '@countersign/contracts';
import { Controller, Inject, Res } from '@nestjs/common';
import { z } from 'zod';
import { isId } from '../platform/ids.js';
import { type Page, pageRequest, toPage } from '../platform/page.js';
import { notFound } from '../platform/problem.js';
import { Body, Caller, Params, Query, Route } from '../platform/route.controller.js';
import type { HttpResponse, TenantScope } from '../platform/tenant-context.js';
import { closedSignal } from '../runs/closed-signal.js';
import { ApprovalRepository, type FoundApproval, placeOf } from './approval.repository.js';
import { APPROVAL_VERBS, type ApprovalVerbs } from './approval-verbs.js';
import { askFacts } from './ask-facts.js';
import { decideApproval } from './decide-approval.js';
import { approvalView, summaryView } from './mapper.js';
import { PrecedentRepository } from './precedent.repository.js';
import { previewEdit } from './preview-edit.js';
import { undoDecision } from './undo-decision.js';

const byApproval = z.object({ approvalId: z.string().refine((value) => isId('apr', value)) });
type ByApproval = z.output<typeof byApproval>;

const APPROVAL_PLACE = /^apr_[0-9a-z]{26}(_[0-9]{1,4})?$/;
const EXPIRY_PLACE = /^[0-9]{1,13}:apr_[0-9a-z]{26}(_[0-9]{1,4})?$/;

/** `/v1/approvals`: calls that wait for a person. */
@Controller()
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalRepository,
    private readonly precedents: PrecedentRepository,
    @Inject(APPROVAL_VERBS) private readonly verbs: ApprovalVerbs,
  ) {}

  @Route({
    method: 'GET',
    path: '/v1/approvals',
    access: 'approvals:read',
    summary: 'Approvals, newest first or what expires first, without facts.',
    query: approvalListQuery,
    ok: approvalPage,
  })
  async list(@Caller() { tenant }: TenantScope, @Query() query: ApprovalListQuery): Promise<Page<object>> {
    const request = pageRequest(tenant, query, query.order === 'expiring' ? EXPIRY_PLACE : APPROVAL_PLACE);
    const found = await this.approvals.list(tenant, query, request);
    return toPage(
      tenant,
      request,
      found,
      (each) => placeOf(each.approval, query.order),
      (each) => approvalView(each),
    );
  }

  @Route({
    method: 'GET',
    path: '/v1/approvals/summary',
    access: 'approvals:read',
    summary: 'How many approvals and outcomes wait for people.',
    ok: approvalSummary,
  })
  async summary(@Caller() { tenant }: TenantScope): Promise<object> {
    return summaryView(await this.approvals.countWaiting(tenant));
  }

  @Route({
    method: 'GET',
    path: '/v1/approvals/{approvalId}',
    access: 'approvals:read',
    summary: 'An approval; while it is pending with the facts of this moment.',
    params: byApproval,
    ok: approval,
  })
  async get(
    @Caller() { tenant }: TenantScope,
    @Params() { approvalId }: ByApproval,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<object> {
    const found = await this.require(tenant, approvalId);
    return approvalView(found, await askFacts(this.verbs, found.approval, closedSignal(response)));
  }

  @Route({
    method: 'POST',
    path: '/v1/approvals/{approvalId}/decision',
    access: 'approvals:decide',
    summary: 'Approves or rejects exactly the arguments that were shown.',
    params: byApproval,
    body: decideApprovalBody,
    ok: approval,
    problems: [
      'already_decided',
      'approval_expired',
      'approval_cancelled',
      'digest_mismatch',
      'not_an_approver',
      'own_request',
      'edit_refused',
      'conflict',
    ],
  })
  async decide(
    @Caller() scope: TenantScope,
    @Params() { approvalId }: ByApproval,
    @Body() body: DecideApproval,
  ): Promise<object> {
    await decideApproval(this.verbs, scope, approvalId, body);
    return approvalView(await this.require(scope.tenant, approvalId));
  }

  @Route({
    method: 'POST',
    path: '/v1/approvals/{approvalId}/undo',
    access: 'approvals:decide',
    summary: 'Takes an approval back, until its effect is intended.',
    params: byApproval,
    ok: approval,
    problems: ['undo_too_late', 'approval_expired', 'approval_cancelled', 'conflict'],
  })
  async undo(@Caller() scope: TenantScope, @Params() { approvalId }: ByApproval): Promise<object> {
    await undoDecision(this.verbs, scope, approvalId);
    return approvalView(await this.require(scope.tenant, approvalId));
  }

  @Route({
    method: 'GET',
    path: '/v1/approvals/{approvalId}/precedents',
    access: 'approvals:read',
    summary: 'How people decided in the last 90 days on the same tool for the same rule.',
    params: byApproval,
    ok: approvalPrecedents,
  })
  async showPrecedents(
    @Caller() { tenant }: TenantScope,
    @Params() { approvalId }: ByApproval,
  ): Promise<object> {
    const { approval } = await this.require(tenant, approvalId);
    const { recent, ...counts } = await this.precedents.of(tenant, approval, this.verbs.now());
    return { ...counts, recent: recent.map((each) => approvalView(each)) };
  }

  @Route({
    method: 'POST',
    path: '/v1/approvals/{approvalId}/preview',
    access: 'approvals:decide',
    summary: 'What would become of an approval with other arguments. Changes nothing.',
    params: byApproval,
    body: previewApproval,
    ok: approvalPreview,
    problems: ['already_decided', 'approval_expired', 'approval_cancelled'],
  })
  preview(
    @Caller() scope: TenantScope,
    @Params() { approvalId }: ByApproval,
    @Body() body: PreviewApproval,
  ): Promise<object> {
    return previewEdit(this.verbs, scope, approvalId, body);
  }

  private async require(tenant: string, approvalId: string): Promise<FoundApproval> {
    const found = await this.approvals.find(tenant, approvalId);
    if (found === null) throw notFound('approval');
    return found;
  }
}
