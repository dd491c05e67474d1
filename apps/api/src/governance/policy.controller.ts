import { type PolicyPut, policy, policyPut } from '@countersign/contracts';
import { Controller } from '@nestjs/common';
import { policyRulesFrom, shownRules } from '../platform/policy-input.js';
import { Body, Caller, Route } from '../platform/route.controller.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { PolicyRepository, type StoredPolicy } from './policy.repository.js';

/** `/v1/policy`: the tenant's rules about what runs without asking, with approval, or not at all. */
@Controller()
export class PolicyController {
  constructor(private readonly policies: PolicyRepository) {}

  @Route({
    method: 'GET',
    path: '/v1/policy',
    access: 'agents:read',
    summary: "The tenant's policy. Version 0 is the empty one that every tenant begins with.",
    ok: policy,
  })
  async get(@Caller() { tenant }: TenantScope): Promise<object> {
    return policyView(await this.policies.current(tenant));
  }

  @Route({
    method: 'PUT',
    path: '/v1/policy',
    access: 'admin',
    summary: "Replaces the tenant's policy. It holds for runs under way as well, from their next step on.",
    body: policyPut,
    ok: policy,
  })
  async replace(@Caller() { tenant }: TenantScope, @Body() body: PolicyPut): Promise<object> {
    const replaced = await this.policies.replace(tenant, {
      rules: policyRulesFrom(body.rules, '/rules'),
      allowlist: body.allowlist ?? null,
      agentsMayLoosen: body.agentsMayLoosen ?? false,
    });
    return policyView(replaced);
  }
}

function policyView({ rules, ...rest }: StoredPolicy): object {
  return { ...rest, rules: shownRules(rules) };
}
