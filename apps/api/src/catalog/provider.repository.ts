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
}
