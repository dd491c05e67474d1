import {
  type ApiKey,
  apiKey,
  type KeyCreate,
  keyCreate,
  keyCreated,
  type PageQuery,
  page,
  pageQuery,
} from '@countersign/contracts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { idPlace } from '../platform/ids.js';
import { KeyCache } from '../platform/key-cache.js';
import { type Page, pageRequest, toPage } from '../platform/page.js';
import { Body, Caller, Params, Query, Route } from '../platform/route.controller.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { createKey, type KeyDependencies, revokeKey, rotateKey } from './issue-key.js';
import { KeyRepository } from './key.repository.js';

const byId = z.object({ id: z.string().regex(/^key_[0-9a-hjkmnp-tv-z]{26}$/) });
type ById = z.output<typeof byId>;

/** `/v1/keys`: what apps authenticate with. */
@Controller()
export class KeysController {
  private readonly dependencies: KeyDependencies;

  constructor(
    private readonly keys: KeyRepository,
    cache: KeyCache,
  ) {
    this.dependencies = { keys, cache };
  }

  @Route({
    method: 'POST',
    path: '/v1/keys',
    access: 'admin',
    summary: 'Makes a key with at most the scopes of the calling one. The key itself is in this answer only.',
    body: keyCreate,
    ok: keyCreated,
    status: 201,
    problems: ['scope_not_held'],
    idempotent: { secrets: ['apiKey'] },
  })
  create(@Caller() scope: TenantScope, @Body() body: KeyCreate): Promise<ApiKey> {
    return createKey(this.dependencies, scope, body);
  }

  @Route({
    method: 'GET',
    path: '/v1/keys',
    access: 'admin',
    summary: 'Keys that are not deleted, newest first.',
    query: z.strictObject(pageQuery),
    ok: page(apiKey),
  })
  async list(@Caller() { tenant }: TenantScope, @Query() query: PageQuery): Promise<Page<ApiKey>> {
    const request = pageRequest(tenant, query, idPlace('key'));
    const rows = await this.keys.list(tenant, request);
    return toPage(
      tenant,
      request,
      rows,
      ({ id }) => id,
      (row) => row,
    );
  }

  @Route({
    method: 'POST',
    path: '/v1/keys/{id}/rotate',
    access: 'admin',
    summary: 'Gives a key another text, in this answer only; the former one ends at once.',
    params: byId,
    ok: keyCreated,
    problems: ['scope_not_held'],
  })
  rotate(@Caller() scope: TenantScope, @Params() { id }: ById): Promise<ApiKey> {
    return rotateKey(this.dependencies, scope, id);
  }

  @Route({
    method: 'DELETE',
    path: '/v1/keys/{id}',
    access: 'admin',
    summary: 'Ends a key at once.',
    params: byId,
    ok: null,
    status: 204,
  })
  delete(@Caller() scope: TenantScope, @Params() { id }: ById): Promise<void> {
    return revokeKey(this.dependencies, scope, id);
  }
}
