import { idOfName } from '../../platform/ids.js';

/** Which circuit breaker: of whom, and about what. */
export interface BreakerKey {
  /** The tenant, or `deployment`: whose credential a provider is called with. */
  readonly owner: string;
  /** Made from the rest, so that nobody has to look it up. */
  readonly id: string;
  readonly kind: 'tool' | 'provider';
  /** JSON text of what it is about, as answers show it. */
  readonly about: string;
}

/** Owner of the breakers of what the deployment's own keys are sent to. */
const DEPLOYMENT = 'deployment';

/** A tool's breaker is its tenant's, whatever version a run began with. */
export function toolBreaker(tenant: string, tool: string): BreakerKey {
  return keyOf(tenant, 'tool', { tool });
}

/** A provider's breaker is for one model at one address, and belongs to whoever's credential is sent there. */
export function providerBreaker(
  owner: { readonly tenant: string; readonly credential: 'tenant' | 'deployment' | 'nobody' },
  about: { readonly provider: string; readonly model: string; readonly baseUrl: string | null },
): BreakerKey {
  return keyOf(owner.credential === 'deployment' ? DEPLOYMENT : owner.tenant, 'provider', about);
}

/** Each is asked for with every call: its id is made once, and all are forgotten before they become too many. */
const made = new Map<string, BreakerKey>();
const MOST_MADE = 10_000;

function keyOf(owner: string, kind: BreakerKey['kind'], about: object): BreakerKey {
  const text = JSON.stringify(about);
  const name = `${owner} ${kind} ${text}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  if (made.size >= MOST_MADE) made.clear();
  const key: BreakerKey = { owner, id: idOfName('brk', name), kind, about: text };
  made.set(name, key);
  return key;
}
