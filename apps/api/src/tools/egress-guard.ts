import { DEMO_TENANT, demoShopUrl, NORTHWIND_TENANT } from '../platform/demo.js';
import type { Environment } from '../platform/env.js';
import { addressRulesOf } from './address-rules.js';
import { EgressGuard } from './egress.js';

/** The guard of a process, as its environment sets it. */
export function egressGuardFor(environment: Environment): EgressGuard {
  const tenants = environment.demo ? [DEMO_TENANT, NORTHWIND_TENANT] : [];
  const exceptions = tenants.map((tenant) => ({ tenant, origin: demoShopUrl(environment) }));
  return new EgressGuard({ ...addressRulesOf(environment), exceptions });
}
