import { Agent, fetch as undiciFetch } from 'undici';
import type { AddressRules } from './address-rules.js';
import { EgressError, guardedConnector, type Lookup, lookupBySystem } from './egress-connector.js';
import { type OutgoingRequest, type RequestResult, sendOnce } from './guarded-request.js';

/*
 * The one way out: every call to a tool, a provider or a webhook passes here. Names are looked up by us, the address
 * that was judged is the address that is connected to, redirects are never followed. Environment proxies are ignored.
 */

/** An origin that one tenant may reach although the rules refuse it: the demo's shop. */
interface EgressException {
  /** As URL.origin writes it, for example `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly tenant: string;
}

export interface EgressOptions extends AddressRules {
  readonly exceptions: readonly EgressException[];
  /** For tests; by default the system's resolver. */
  readonly lookup?: Lookup;
}

/** What a model may answer at most, in bytes after inflation. */
const FETCH_MAX_BYTES = 32 * 1024 * 1024;

export class EgressGuard {
  /** Kept-alive connections, for what may be repeated. */
  private readonly pooled: Agent;
  /** A connection for each request. */
  private readonly fresh: Agent;
  /** For exceptions alone: their connections must not serve anybody else from a pool. */
  private readonly excepted: Agent;

  constructor(private readonly options: EgressOptions) {
    const lookup = options.lookup ?? lookupBySystem;
    const agent = (rules: AddressRules) => new Agent({ connect: guardedConnector(rules, lookup) });
    this.pooled = agent(options);
    this.fresh = agent(options);
    this.excepted = agent({ ...options, allowed: 'private' });
  }

  /** Sends one POST for a tenant. Never throws; a URL that is no http(s) address without user is `refused`. */
  async request(tenant: string, request: OutgoingRequest, signal: AbortSignal): Promise<RequestResult> {
    const refusal = urlRefusal(request.url);
    if (refusal !== null) return { type: 'error', error: refusal };
    if (this.isExcepted(tenant, request.url))
      return sendOnce(this.excepted, { ...request, fresh: true }, signal);
    return sendOnce(request.fresh ? this.fresh : this.pooled, request, signal);
  }

  /**
   * A fetch for vendors' SDKs on behalf of a tenant. It rejects with EgressError, whose `neverSent` says that nothing
   * left; redirects come back as they are; a body over 32 MiB breaks off.
   */
  fetch(tenant: string): typeof globalThis.fetch {
    const guarded = async (input: string | URL, init?: object) => {
      // A Request is no URL and is refused here: its method and body would be lost.
      const url = new URL(input);
      const refusal = urlRefusal(url);
      if (refusal !== null) throw refusal;
      const dispatcher = this.isExcepted(tenant, url) ? this.excepted : this.pooled;
      try {
        const response = await undiciFetch(url, { ...init, dispatcher, redirect: 'manual' });
        return capped(response);
      } catch (error) {
        throw egressCause(error) ?? error;
      }
    };
    // undici's own types of fetch and those of Node's globals name the same things twice.
    return guarded as unknown as typeof globalThis.fetch;
  }

  /** Lets go of every connection; what is under way breaks. */
  async close(): Promise<void> {
    await Promise.all([this.pooled, this.fresh, this.excepted].map((agent) => agent.destroy()));
  }

  private isExcepted(tenant: string, url: URL): boolean {
    return this.options.exceptions.some((entry) => entry.tenant === tenant && entry.origin === url.origin);
  }
}

/** Why this URL may not be called at all, whatever its host resolves to; null where it may. */
function urlRefusal(url: URL): EgressError | null {
  const refused = (message: string) => new EgressError('refused', true, message);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refused('Only http and https can be called.');
  if (url.username !== '' || url.password !== '')
    return refused('A URL must not carry a user or a password.');
  return null;
}

function egressCause(error: unknown): EgressError | null {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof EgressError) return current;
    current = current.cause;
  }
  return null;
}

type UndiciResponse = Awaited<ReturnType<typeof undiciFetch>>;

function capped(response: UndiciResponse): Response {
  let left = FETCH_MAX_BYTES;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new EgressError('broken', false, 'The answer is longer than 32 MiB.'));
      else controller.enqueue(chunk);
    },
  });
  const body = response.body?.pipeThrough(counter) ?? null;
  // They describe the body as it was sent, not as it is read here.
  const headers = [...response.headers].filter(([name]) => !/^content-(encoding|length)$/.test(name));
  return new Response(body as ReadableStream<Uint8Array> | null, {
    status: response.status,
    statusText: response.statusText,
    headers,
  });
}
