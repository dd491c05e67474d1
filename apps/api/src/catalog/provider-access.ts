import type { ModelChoice } from '@countersign/agent-core';
import type { Environment } from '../platform/env.js';
import { SealError, seal, unseal } from '../platform/seal.js';

/*
 * Which key a model call carries, and where it goes. A key never leaves for an origin that it was not stored for, and
 * the deployment's keys never leave for an address that a tenant named.
 */

export type KeyedProvider = Exclude<ModelChoice['provider'], 'scripted'>;

/** The vendors' own addresses. Always named: an SDK left alone would read its own environment variables. */
const HOME: Readonly<Record<KeyedProvider, string | null>> = {
  openai: 'https://api.openai.com/v1',
  'openai-compatible': null,
  anthropic: 'https://api.anthropic.com',
  google: 'https://generativelanguage.googleapis.com',
};

/** A tenant's stored key; without a base URL it is for the vendor's own address. */
export interface StoredCredential {
  readonly apiKeySealed: string;
  readonly baseUrl: string | null;
}

interface ResolvedAccess {
  /** Empty where the server takes none. */
  readonly apiKey: string;
  /** Null for the scripted provider alone, which goes nowhere. */
  readonly baseUrl: string | null;
  readonly owner: 'tenant' | 'deployment' | 'nobody';
}

type AccessResolution =
  | { readonly type: 'ok'; readonly access: ResolvedAccess }
  | { readonly type: 'missing'; readonly message: string };

/** Resolves the key and the address for one choice of a tenant's agent. */
export type ResolveAccess = (tenant: string, choice: ModelChoice) => Promise<AccessResolution>;

export interface ProviderAccessParts {
  readonly findCredential: (tenant: string, provider: KeyedProvider) => Promise<StoredCredential | null>;
  readonly mayUseDeploymentKeys: (tenant: string) => Promise<boolean>;
  readonly deployment: Environment['providers'];
  /** COUNTERSIGN_SECRET. */
  readonly secret: string;
}

export function createResolveAccess(parts: ProviderAccessParts): ResolveAccess {
  return async (tenant, choice) => {
    const { provider } = choice;
    if (provider === 'scripted') return found('', null, 'nobody');
    const credential = await parts.findCredential(tenant, provider);
    if (choice.baseUrl !== undefined) return ownAddress(parts, tenant, provider, choice.baseUrl, credential);
    if (credential !== null)
      return opened(parts, tenant, provider, credential, credential.baseUrl ?? HOME[provider]);
    return deploymentKey(parts, tenant, provider);
  };
}

/** An agent's own base URL gets the tenant's key for that origin, or, openai-compatible, none. */
function ownAddress(
  parts: ProviderAccessParts,
  tenant: string,
  provider: KeyedProvider,
  baseUrl: string,
  credential: StoredCredential | null,
): AccessResolution {
  const home = credential === null ? null : (credential.baseUrl ?? HOME[provider]);
  if (credential !== null && home !== null && new URL(home).origin === new URL(baseUrl).origin) {
    return opened(parts, tenant, provider, credential, baseUrl);
  }
  if (provider === 'openai-compatible') return found('', baseUrl, 'nobody');
  return missing(
    `There is no ${provider} key for ${new URL(baseUrl).origin}: PUT /v1/providers/${provider} with it.`,
  );
}

async function deploymentKey(
  parts: ProviderAccessParts,
  tenant: string,
  provider: KeyedProvider,
): Promise<AccessResolution> {
  if (provider === 'openai-compatible') {
    return missing(
      'An openai-compatible model needs a baseUrl: in the agent, or by PUT /v1/providers/openai-compatible.',
    );
  }
  const { apiKey, baseUrl } = parts.deployment[provider];
  if (apiKey !== null && (await parts.mayUseDeploymentKeys(tenant))) {
    return found(apiKey, baseUrl ?? HOME[provider], 'deployment');
  }
  return missing(`There is no key for ${provider}: PUT /v1/providers/${provider} stores one.`);
}

function opened(
  parts: ProviderAccessParts,
  tenant: string,
  provider: KeyedProvider,
  { apiKeySealed, baseUrl: storedFor }: StoredCredential,
  baseUrl: string | null,
): AccessResolution {
  try {
    const apiKey = unseal(apiKeySealed, parts.secret, keyContext(tenant, provider, storedFor));
    return found(apiKey, baseUrl, 'tenant');
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return missing(
      `The stored key for ${provider} cannot be opened: store it again by PUT /v1/providers/${provider}.`,
    );
  }
}

/** A tenant's key, sealed for its row: bound to the tenant, the provider and the origin that it is for. */
export function sealProviderKey(
  apiKey: string,
  secret: string,
  tenant: string,
  provider: KeyedProvider,
  baseUrl: string | null,
): string {
  return seal(apiKey, secret, keyContext(tenant, provider, baseUrl));
}

function keyContext(tenant: string, provider: KeyedProvider, baseUrl: string | null) {
  const address = baseUrl ?? HOME[provider];
  const origin = address === null ? '' : new URL(address).origin;
  return { tenant, kind: 'provider_key', name: `${provider} ${origin}` } as const;
}

function found(apiKey: string, baseUrl: string | null, owner: ResolvedAccess['owner']): AccessResolution {
  return { type: 'ok', access: { apiKey, baseUrl, owner } };
}

function missing(message: string): AccessResolution {
  return { type: 'missing', message };
}
