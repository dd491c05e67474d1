import type { ProviderPut } from '@countersign/contracts';
import { invalidContent } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import type { ProviderRepository, StoredProvider } from './provider.repository.js';
import { type KeyedProvider, sealProviderKey } from './provider-access.js';

export interface SaveProviderKeyDependencies {
  readonly providers: Pick<ProviderRepository, 'save'>;
  /** COUNTERSIGN_SECRET. */
  readonly secret: string;
}

/** Stores a tenant's key for a provider, sealed, in the place of the former one. @throws Problem invalid_content. */
export function saveProviderKey(
  { providers, secret }: SaveProviderKeyDependencies,
  { tenant }: TenantScope,
  provider: KeyedProvider,
  {
    apiKey,
    baseUrl = null,
  }: { readonly apiKey: ProviderPut['apiKey']; readonly baseUrl?: string | null | undefined },
): Promise<StoredProvider> {
  if (provider === 'openai-compatible' && baseUrl === null) {
    throw invalidContent({
      path: '/baseUrl',
      message: 'is required: the provider has no address of its own',
    });
  }
  if (baseUrl !== null && hasUser(baseUrl)) {
    throw invalidContent({ path: '/baseUrl', message: 'takes no user name or password' });
  }
  const apiKeySealed = sealProviderKey(apiKey, secret, tenant, provider, baseUrl);
  return providers.save(tenant, provider, { apiKeySealed, baseUrl });
}

function hasUser(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
