import { seal, unseal } from '../platform/seal.js';

/** What is stored of a tool's secrets, sealed. `headersSealed` belongs to one version of the tool. */
export interface SealedToolSecrets {
  readonly signingSecretSealed: string;
  readonly headersSealed: string | null;
}

/** Finds the sealed secrets of one version of a tenant's tool; null where there is no such tool. */
export type FindToolSecrets = (
  tenant: string,
  tool: string,
  version: number,
) => Promise<SealedToolSecrets | null>;

/** A tool's signing secret (`whsec_...`), sealed for its row. `secret` is COUNTERSIGN_SECRET. */
export function sealSigningSecret(
  signingSecret: string,
  secret: string,
  tenant: string,
  tool: string,
): string {
  return seal(signingSecret, secret, { tenant, kind: 'tool_signing_secret', name: tool });
}

/** Opens what `sealSigningSecret` made. Throws SealError. */
export function openSigningSecret(sealed: string, secret: string, tenant: string, tool: string): string {
  return unseal(sealed, secret, { tenant, kind: 'tool_signing_secret', name: tool });
}

/** A tool's own headers, sealed for the origin of its url: for another origin they do not open. */
export function sealHeaders(
  headers: Readonly<Record<string, string>>,
  secret: string,
  tenant: string,
  tool: string,
  url: string,
): string {
  return seal(JSON.stringify(headers), secret, headersContext(tenant, tool, url));
}

/** Opens what `sealHeaders` made. Throws SealError. */
export function openHeaders(
  sealed: string,
  secret: string,
  tenant: string,
  tool: string,
  url: string,
): Readonly<Record<string, string>> {
  return JSON.parse(unseal(sealed, secret, headersContext(tenant, tool, url))) as Record<string, string>;
}

function headersContext(tenant: string, tool: string, url: string) {
  return { tenant, kind: 'tool_headers', name: `${tool} ${new URL(url).origin}` } as const;
}

/** Headers that carry the call itself or its framing. A tool's own headers may not name them. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * What is wrong with a tool's own headers, by name, or null: for registration. Names are HTTP tokens, values visible
 * ASCII with inner spaces.
 */
export function headerFault(
  headers: Readonly<Record<string, string>>,
): { name: string; message: string } | null {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,128}$/.test(name)) return { name, message: 'is not a header name' };
    if (RESERVED.has(name.toLowerCase()) || name.toLowerCase().startsWith('webhook-')) {
      return { name, message: 'is set by the call itself' };
    }
    if (!/^[\x21-\x7e]([\x20-\x7e]{0,8190}[\x21-\x7e])?$/.test(value)) {
      return { name, message: 'takes 1 to 8192 visible ASCII characters' };
    }
  }
  return null;
}
