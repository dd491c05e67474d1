import {
  type PageQuery,
  page,
  pageQuery,
  type Tenant,
  type TenantCreate,
  type TenantUpdate,
  tenant,
  tenantCreate,
  tenantCreated,
  tenantUpdate,
} from '@countersign/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { idPlace } from '../platform/ids.js';
import { KeyCache } from '../platform/key-cache.js';
import { type Page, pageRequest, toPage } from '../platform/page.js';
import { notFound } from '../platform/problem.js';
import { Body, Params, Query, Route } from '../platform/route.controller.js';
import { createTenant } from './create-tenant.js';
import { TenantRepository } from './tenant.repository.js';

const byId = z.object({ id: z.string().regex(/^ten_[0-9a-hjkmnp-tv-z]{26}$/) });
type ById = z.output<typeof byId>;

/** In cursors, where a list of one tenant names it. */
const OPERATOR = 'operator';

/** `/admin/v1/tenants`: who is on the platform, with which share and ceilings. */
@Controller()
export class TenantsController {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly keys: KeyCache,
  ) {}

  @Route({
    method: 'POST',
    path: '/admin/v1/tenants',
    access: 'operator',
    summary: 'Makes a tenant. Its first key, with every scope, is in this answer only.',
    body: tenantCreate,
    ok: tenantCreated,
    status: 201,
    problems: ['already_exists'],
    idempotent: { secrets: ['apiKey'] },
  })
  create(@Body() body: TenantCreate): Promise<object> {
    return createTenant(this.tenants, body);
  }

  @Route({
    method: 'GET',
    path: '/admin/v1/tenants',
    access: 'operator',
    summary: 'Tenants, newest first.',
    query: z.strictObject(pageQuery),
    ok: page(tenant),
  })
  async list(@Query() query: PageQuery): Promise<Page<Tenant>> {
    const request = pageRequest(OPERATOR, query, idPlace('ten'));
    const rows = await this.tenants.list(request);
    return toPage(
      OPERATOR,
      request,
      rows,
      ({ id }) => id,
      (row) => row,
    );
  }

  @Route({
    method: 'GET',
    path: '/admin/v1/tenants/{id}',
    access: 'operator',
    summary: 'A tenant.',
    params: byId,
    ok: tenant,
  })
  async get(@Params() { id }: ById): Promise<Tenant> {
    const found = await this.tenants.find(id);
    if (found === null) throw notFound('tenant');
    return found;
  }

  @Route({
    method: 'PATCH',
    path: '/admin/v1/tenants/{id}',
    access: 'operator',
    summary: 'Suspends a tenant or takes it up again, and changes its weight and ceilings.',
    params: byId,
    body: tenantUpdate,
    ok: tenant,
  })
  async update(@Params() { id }: ById, @Body() body: TenantUpdate): Promise<Tenant> {
    const updated = await this.tenants.update(id, body);
    if (updated === null) throw notFound('tenant');
    this.keys.forget(id);
    return updated;
  }
}
