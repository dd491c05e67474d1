import type { Transact } from '../platform/transaction.js';
import type { KeyedProvider, StoredCredential } from './provider-access.js';

/** A stored key as answers show it. */
export interface StoredProvider {
  readonly provider: string;
  readonly baseUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The keys that tenants brought for providers: one for each provider, sealed. In the column no base URL is ''. */
export class ProviderRepository {
  constructor(private readonly transact: Transact) {}

  /** Stores a key in the place of the former one. */
  save(
    tenant: string,
    provider: KeyedProvider,
    { apiKeySealed, baseUrl }: StoredCredential,
  ): Promise<StoredProvider> {
    const content = { apiKeySealed, baseUrl: baseUrl ?? '' };
    return this.transact(tenant, async (tx) => {
      const saved = await tx.providerCredential.upsert({
        where: { tenantId_provider: { tenantId: tenant, provider } },
        create: { tenantId: tenant, provider, ...content },
        update: { ...content, updatedAt: new Date() },
      });
      const { createdAt, updatedAt } = saved;
      return { provider, baseUrl, createdAt, updatedAt };
    });
  }

  /** The tenant's sealed key for a provider; null where it has none. */
  find(tenant: string, provider: KeyedProvider): Promise<StoredCredential | null> {
    return this.transact(tenant, async (tx) => {
      const found = await tx.providerCredential.findUnique({
        where: { tenantId_provider: { tenantId: tenant, provider } },
      });
      if (found === null) return null;
      return { apiKeySealed: found.apiKeySealed, baseUrl: found.baseUrl === '' ? null : found.baseUrl };
    });
  }

  /** True where the operator lets this tenant use the deployment's keys. */
  mayUseDeploymentKeys(tenant: string): Promise<boolean> {
    return this.transact(tenant, async (tx) => {
      const found = await tx.tenant.findUnique({
        where: { id: tenant },
        select: { useDeploymentKeys: true },
      });
      return found?.useDeploymentKeys ?? false;
    });
  }
}
