import { callFunction, type Database } from '../platform/database.js';
import type { KeyedProvider, StoredCredential } from './provider-access.js';

/** What a model call may carry: the tenant's own keys, sealed, and whether it may use the deployment's. */
export class CredentialRepository {
  constructor(private readonly database: Database) {}

  /** The tenant's sealed key for a provider; null where it has none. @throws DatabaseError */
  async find(tenant: string, provider: KeyedProvider): Promise<StoredCredential | null> {
    const text = await callFunction<string | null>(this.database, 'credential_of', { tenant, provider });
    return text === null ? null : (JSON.parse(text) as StoredCredential);
  }

  /** True where the operator lets this tenant use the deployment's keys. @throws DatabaseError */
  mayUseDeploymentKeys(tenant: string): Promise<boolean> {
    return callFunction<boolean>(this.database, 'may_use_deployment_keys', { tenant });
  }
}
