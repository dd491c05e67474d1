import { type PolicySimulate, policySimulate, policySimulation } from '@countersign/contracts';
import { Controller, Inject } from '@nestjs/common';
import { policyRulesFrom } from '../../platform/policy-input.js';
import { Problem } from '../../platform/problem.js';
import { Body, Caller, Route } from '../../platform/route.controller.js';
import type { TenantScope } from '../../platform/tenant-context.js';
import { type SimulatePolicyDependencies, simulatePolicy } from './simulate-policy.js';

export const SIMULATE_POLICY = Symbol('SimulatePolicyDependencies');

/** Simulations at once in one process: each holds a connection and keeps a core busy for seconds. */
const AT_ONCE = 2;

/** `/v1/policy/simulate`: rules are tried on what has happened, before anybody lives under them. */
@Controller()
export class SimulationController {
  private readonly simulating = new Set<string>();

  constructor(@Inject(SIMULATE_POLICY) private readonly dependencies: SimulatePolicyDependencies) {}

  @Route({
    method: 'POST',
    path: '/v1/policy/simulate',
    access: 'admin',
    summary: 'What this policy would have done to the newest 100,000 calls of a time. Nothing is changed.',
    body: policySimulate,
    ok: policySimulation,
  })
  async simulate(@Caller() { tenant }: TenantScope, @Body() body: PolicySimulate): Promise<object> {
    const policy = {
      rules: policyRulesFrom(body.rules, '/rules'),
      allowlist: body.allowlist ?? null,
      agentsMayLoosen: body.agentsMayLoosen ?? false,
    };
    if (this.simulating.has(tenant) || this.simulating.size >= AT_ONCE) {
      throw new Problem('rate_limited', 'Other simulations are under way.', {
        headers: { 'retry-after': '5' },
      });
    }
    this.simulating.add(tenant);
    try {
      const [from, to] = [new Date(body.from), new Date(body.to)];
      return await simulatePolicy(this.dependencies, tenant, { policy, from, to });
    } finally {
      this.simulating.delete(tenant);
    }
  }
}
