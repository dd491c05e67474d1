import { agentCreate, policyPut, toolCreate } from '@countersign/contracts';
import { DESK_SCRIPT, type DemoTenant } from '@countersign/examples';
import { createAgent } from '../catalog/save-agent.js';
import { createTool } from '../catalog/save-tool.js';
import { parseContent } from '../platform/parse.js';
import { policyRulesFrom } from '../platform/policy-input.js';
import { createTenant } from '../tenancy/create-tenant.js';
import { setDeskModel } from './desk-model.js';
import { asBody, type SeedParts, unlessThere } from './seed-parts.js';
import { TENANT_IDS } from './tenant-ids.js';

/** What a price of the demo leaves unsaid: it holds from now on. */
const UNSAID = {
  validFrom: null,
  cachedInputPerMTok: null,
  cacheWritePerMTok: null,
  contextWindow: null,
  maxOutputTokens: null,
};

/**
 * Makes a tenant of the demo with its tools and agents, where it is not there. The tenant comes last: a seed that was
 * cut short is made again.
 * @returns its key where it was made, else null.
 */
export async function makeTenant(parts: SeedParts, demo: DemoTenant): Promise<string | null> {
  const tenant = TENANT_IDS[demo.slug];
  if ((await parts.tenants.find(tenant)) !== null) return null;
  for (const { provider, model, ...rates } of demo.prices) {
    if ((await parts.findPrice(provider, model)) === null) {
      await parts.prices.save(provider, model, { ...UNSAID, ...rates });
    }
  }
  for (const tool of demo.tools) {
    await unlessThere(createTool(parts.savingOfTools, { tenant }, parseContent(toolCreate, asBody(tool))));
  }
  for (const agent of [...demo.agents, demo.desk(DESK_SCRIPT)]) {
    await unlessThere(
      createAgent(parts.savingOfAgents, { tenant }, parseContent(agentCreate, asBody(agent))),
    );
  }
  const fields = { slug: demo.slug, name: demo.name, useDeploymentKeys: true };
  return (await createTenant(parts.tenants, fields, tenant)).apiKey;
}

/** The policy that a tenant of the demo begins with, and the model that the keys of this start ask for. */
export async function furnishTenant(parts: SeedParts, demo: DemoTenant): Promise<void> {
  const tenant = TENANT_IDS[demo.slug];
  await setFirstPolicy(parts, tenant, demo.policy);
  await setDeskModel(parts, tenant, demo.desk);
}

async function setFirstPolicy({ policies }: SeedParts, tenant: string, body: object): Promise<void> {
  if ((await policies.current(tenant)).version > 0) return;
  const { rules } = parseContent(policyPut, asBody(body));
  await policies.replace(tenant, {
    rules: policyRulesFrom(rules, '/rules'),
    allowlist: null,
    agentsMayLoosen: false,
  });
}
