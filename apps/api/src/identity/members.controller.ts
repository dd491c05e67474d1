import {
  type Member,
  type MemberCreate,
  type MemberCreated,
  type MemberUpdate,
  member,
  memberCreate,
  memberCreated,
  memberUpdate,
  type PageQuery,
  page,
  pageQuery,
  SCOPES,
} from '@countersign/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { isId } from '../platform/ids.js';
import { type Page, pageRequest, toPage } from '../platform/page.js';
import { notFound } from '../platform/problem.js';
import { Body, Caller, Params, Query, Route } from '../platform/route.controller.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { addMember, changeRole, type MemberDependencies, removeMember } from './change-members.js';
import { MEMBER_PLACE, MemberRepository, memberPosition } from './member.repository.js';

const byId = z.object({ id: z.string().refine((value) => isId('usr', value)) });
type ById = z.output<typeof byId>;

const byTenant = z.object({ tenantId: z.string().refine((value) => isId('ten', value)) });
type ByTenant = z.output<typeof byTenant>;

/** `/v1/members`: the people of a tenant. */
@Controller()
export class MembersController {
  private readonly verbs: MemberDependencies;

  constructor(private readonly members: MemberRepository) {
    this.verbs = { members };
  }

  @Route({
    method: 'POST',
    path: '/v1/members',
    access: 'admin',
    summary: 'Makes a person a member. A password that was made for them is in this answer only.',
    body: memberCreate,
    ok: memberCreated,
    status: 201,
    problems: ['scope_not_held', 'already_exists'],
    idempotent: { secrets: ['password'] },
  })
  create(@Caller() scope: TenantScope, @Body() body: MemberCreate): Promise<MemberCreated> {
    return addMember(this.verbs, scope, body);
  }

  @Route({
    method: 'POST',
    path: '/admin/v1/tenants/{tenantId}/members',
    access: 'operator',
    summary:
      'Makes a person a member of a tenant, whoever made their account: the operator vouches for them.',
    params: byTenant,
    body: memberCreate,
    ok: memberCreated,
    status: 201,
    problems: ['already_exists'],
    idempotent: { secrets: ['password'] },
  })
  async vouch(@Params() { tenantId }: ByTenant, @Body() body: MemberCreate): Promise<MemberCreated> {
    if (!(await this.members.hasTenant(tenantId))) throw notFound('tenant');
    return addMember(this.verbs, { tenant: tenantId, scopes: new Set(SCOPES) }, body, true);
  }

  @Route({
    method: 'GET',
    path: '/v1/members',
    access: 'admin',
    summary: 'Members, newest first.',
    query: z.strictObject(pageQuery),
    ok: page(member),
  })
  async list(@Caller() { tenant }: TenantScope, @Query() query: PageQuery): Promise<Page<Member>> {
    const request = pageRequest(tenant, query, MEMBER_PLACE);
    const rows = await this.members.list(tenant, request);
    return toPage(tenant, request, rows, memberPosition, (row) => row);
  }

  @Route({
    method: 'PATCH',
    path: '/v1/members/{id}',
    access: 'admin',
    summary: 'Gives a member another role.',
    params: byId,
    body: memberUpdate,
    ok: member,
    problems: ['scope_not_held', 'last_admin'],
  })
  update(
    @Caller() scope: TenantScope,
    @Params() { id }: ById,
    @Body() { role }: MemberUpdate,
  ): Promise<Member> {
    return changeRole(this.verbs, scope, id, role);
  }

  @Route({
    method: 'DELETE',
    path: '/v1/members/{id}',
    access: 'admin',
    summary: 'Ends a membership at once. The person keeps their account.',
    params: byId,
    ok: null,
    status: 204,
    problems: ['last_admin'],
  })
  delete(@Caller() scope: TenantScope, @Params() { id }: ById): Promise<void> {
    return removeMember(this.verbs, scope, id);
  }
}
