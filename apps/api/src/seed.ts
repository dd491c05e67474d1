import { agentCreate, toolCreate } from '@countersign/contracts';
import { demoDefinitions } from '@countersign/examples';
import { AgentRepository } from './catalog/agent.repository.js';
import { CredentialRepository } from './catalog/credential.repository.js';
import { createAgent } from './catalog/save-agent.js';
import { createTool } from './catalog/save-tool.js';
import { savingAgents, savingTools } from './catalog/saving.js';
import { ToolRepository } from './catalog/tool.repository.js';
import { builtInPrice } from './governance/built-in-price-list.js';
import { PriceRepository } from './governance/price.repository.js';
import { seedMembers } from './identity/seed-members.js';
import { assertApplicationRole } from './platform/application-role.js';
import { type Database, openDatabase } from './platform/database.js';
import { DEMO_TENANT, demoShopUrl } from './platform/demo.js';
import { type Environment, EnvironmentError, readEnvironment } from './platform/env.js';
import { parseBodyText } from './platform/json-body.js';
import { failStart } from './platform/open-process.js';
import { parseContent } from './platform/parse.js';
import { openPrisma } from './platform/prisma.js';
import { Problem } from './platform/problem.js';
import { transactWith } from './platform/transaction.js';
import { createTenant } from './tenancy/create-tenant.js';
import { TenantRepository } from './tenancy/tenant.repository.js';

/**
 * Makes the demo's tenants with their agents, tools and members, once. Prints one line of JSON, `{"apiKey": "...",
 * "signIns": [...]}`, when it did, and nothing where the demo is there already. The tenant comes after its definitions: a
 * seed that was cut short is made again.
 */
async function seed(): Promise<void> {
  const environment = readEnvironment(process.env);
  if (!environment.demo)
    throw new EnvironmentError('COUNTERSIGN_DEMO: got 0, takes 1 where the demo is to be seeded');
  const database = openDatabase({ url: environment.databaseUrl, connections: 2 });
  try {
    await assertApplicationRole(database);
    const tenants = new TenantRepository(database);
    if ((await tenants.find(DEMO_TENANT)) !== null) return;
    await saveDefinitions(environment, database);
    const { apiKey } = await createTenant(tenants, { slug: 'demo', name: 'Orders shop' }, DEMO_TENANT);
    const signIns = await seedMembers(database, tenants, environment);
    process.stdout.write(`${JSON.stringify({ apiKey, signIns })}\n`);
  } finally {
    await database.end();
  }
}

async function saveDefinitions(environment: Environment, database: Database): Promise<void> {
  const transact = transactWith(openPrisma(database));
  const tools = new ToolRepository(transact);
  const agents = new AgentRepository(transact);
  const credentials = new CredentialRepository(database);
  const prices = new PriceRepository(database);
  const findPrice = async (provider: string, model: string) =>
    (await prices.findCurrent(provider, model)) ?? builtInPrice(provider, model, Date.now());
  const savingOfTools = savingTools(tools, environment);
  const savingOfAgents = savingAgents(agents, tools, credentials, findPrice, environment);
  const seeder = { tenant: DEMO_TENANT };
  const definitions = demoDefinitions(demoShopUrl(environment));
  for (const { provider, model, ...rates } of definitions.prices) {
    if ((await findPrice(provider, model)) === null)
      await prices.save(provider, model, { ...UNSAID, ...rates });
  }
  for (const tool of definitions.tools) {
    await unlessThere(createTool(savingOfTools, seeder, parseContent(toolCreate, asBody(tool))));
  }
  for (const agent of definitions.agents) {
    await unlessThere(createAgent(savingOfAgents, seeder, parseContent(agentCreate, asBody(agent))));
  }
}

/** What a price of the demo leaves unsaid: it holds from now on. */
const UNSAID = {
  validFrom: null,
  cachedInputPerMTok: null,
  cacheWritePerMTok: null,
  contextWindow: null,
  maxOutputTokens: null,
};

/** A definition as the API would read it. */
const asBody = (definition: object) => parseBodyText(JSON.stringify(definition));

async function unlessThere(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'already_exists') throw error;
  }
}

seed().catch(failStart);
