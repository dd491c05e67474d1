import { DEMO_TENANT, demoShopUrl } from '../platform/demo.js';
import type { Environment } from '../platform/env.js';
import { addressRulesOf } from './address-rules.js';
import { EgressGuard } from './egress.js';

/** The guard of a process, as its environment sets it. */
export function egressGuardFor(environment: Environment): EgressGuard {
  const shop = { tenant: DEMO_TENANT, origin: demoShopUrl(environment) };
  return new EgressGuard({ ...addressRulesOf(environment), exceptions: environment.demo ? [shop] : [] });
}
