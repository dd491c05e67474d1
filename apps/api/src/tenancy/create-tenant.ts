import { SCOPES, type Tenant, type TenantCreate } from '@countersign/contracts';
import { newId } from '../platform/ids.js';
import { Problem } from '../platform/problem.js';
import { newApiKey } from './new-api-key.js';
import type { TenantRepository } from './tenant.repository.js';

/**
 * Makes a tenant and its first key, which has every scope and is told this once.
 * @param id of the tenant; only the demo's is known beforehand.
 * @throws Problem already_exists.
 */
export async function createTenant(
  tenants: Pick<TenantRepository, 'create'>,
  fields: TenantCreate,
  id = newId('ten'),
): Promise<{ readonly tenant: Tenant; readonly apiKey: string }> {
  const { text, hash, prefix } = newApiKey();
  const key = { id: newId('key'), name: 'First key', keyHash: hash, prefix, scopes: SCOPES };
  const tenant = await tenants.create(id, fields, key);
  if (tenant === null)
    throw new Problem('already_exists', `There is a tenant with the slug "${fields.slug}".`);
  return { tenant, apiKey: text };
}
