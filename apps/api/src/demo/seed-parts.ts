import { AgentRepository } from '../catalog/agent.repository.js';
import { CredentialRepository } from '../catalog/credential.repository.js';
import { savingAgents, savingTools } from '../catalog/saving.js';
import { ToolRepository } from '../catalog/tool.repository.js';
import { builtInPrice } from '../governance/built-in-price-list.js';
import { PolicyRepository } from '../governance/policy.repository.js';
import { PriceRepository } from '../governance/price.repository.js';
import type { Database } from '../platform/database.js';
import type { Environment } from '../platform/env.js';
import { parseBodyText } from '../platform/json-body.js';
import { openPrisma } from '../platform/prisma.js';
import { Problem } from '../platform/problem.js';
import { transactWith } from '../platform/transaction.js';
import { TenantRepository } from '../tenancy/tenant.repository.js';

export type SeedParts = ReturnType<typeof seedParts>;

/** What the seed works with: what the API's verbs work with, put together over one database. */
export function seedParts(environment: Environment, database: Database) {
  const prisma = openPrisma(database);
  const transact = transactWith(prisma);
  const tools = new ToolRepository(transact);
  const agents = new AgentRepository(transact);
  const credentials = new CredentialRepository(database);
  const prices = new PriceRepository(database);
  const findPrice = async (provider: string, model: string) =>
    (await prices.findCurrent(provider, model)) ?? builtInPrice(provider, model, Date.now());
  return {
    environment,
    prices,
    findPrice,
    agents,
    tenants: new TenantRepository(database),
    policies: new PolicyRepository(prisma),
    savingOfTools: savingTools(tools, environment),
    savingOfAgents: savingAgents(agents, tools, credentials, findPrice, environment),
  };
}

/** A definition as the API would read it. */
export function asBody(definition: object): unknown {
  return parseBodyText(JSON.stringify(definition));
}

/** Makes something that a seed which was cut short may have made before. */
export async function unlessThere(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'already_exists') throw error;
  }
}
