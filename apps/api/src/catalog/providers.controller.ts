import {
  type ProviderPath,
  type ProviderPut,
  providerKey,
  providerPath,
  providerPut,
} from '@countersign/contracts';
import { Controller, Inject } from '@nestjs/common';
import { Body, Caller, Params, Route } from '../platform/route.controller.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { type SaveProviderKeyDependencies, saveProviderKey } from './save-provider-key.js';

export const SAVE_PROVIDER_KEY = Symbol('SaveProviderKeyDependencies');

/** `/v1/providers`: the tenant's own keys for models. They go in and never come out. */
@Controller()
export class ProvidersController {
  constructor(@Inject(SAVE_PROVIDER_KEY) private readonly saving: SaveProviderKeyDependencies) {}

  @Route({
    method: 'PUT',
    path: '/v1/providers/{provider}',
    access: 'admin',
    summary: "Stores the tenant's key for a provider, in the place of the former one.",
    params: providerPath,
    body: providerPut,
    ok: providerKey,
  })
  async replace(
    @Caller() scope: TenantScope,
    @Params() { provider }: ProviderPath,
    @Body() body: ProviderPut,
  ): Promise<object> {
    return saveProviderKey(this.saving, scope, provider, body);
  }
}
