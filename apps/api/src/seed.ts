import { demoTenants } from '@countersign/examples';
import { seedParts } from './demo/seed-parts.js';
import { furnishTenant, makeTenant } from './demo/seed-tenant.js';
import { seedMembers } from './identity/seed-members.js';
import { assertApplicationRole } from './platform/application-role.js';
import { openDatabase } from './platform/database.js';
import { demoShopUrl } from './platform/demo.js';
import { EnvironmentError, readEnvironment } from './platform/env.js';
import { failStart } from './platform/open-process.js';

/**
 * Makes the demo's tenants with their members, once, and, at each start, gives their agents the model that the
 * environment has a key for. Prints one line of JSON, `{"apiKey": "...", "signIns": [...]}`, when it made the tenants, and
 * nothing where they were there. Their runs are started by the API, which has the shop that they need.
 */
async function seed(): Promise<void> {
  const environment = readEnvironment(process.env);
  if (!environment.demo)
    throw new EnvironmentError('COUNTERSIGN_DEMO: got 0, takes 1 where the demo is to be seeded');
  const database = openDatabase({ url: environment.databaseUrl, pooled: 2 });
  try {
    await assertApplicationRole(database);
    const parts = seedParts(environment, database);
    const demos = demoTenants(demoShopUrl(environment));
    // The first tenant comes last: while it is not there, a seed that was cut short is made again.
    for (const demo of demos.toReversed()) {
      const apiKey = await makeTenant(parts, demo);
      if (demo.slug !== 'demo' || apiKey === null) continue;
      const signIns = await seedMembers(database, parts.tenants, environment);
      process.stdout.write(`${JSON.stringify({ apiKey, signIns })}\n`);
    }
    for (const demo of demos) await furnishTenant(parts, demo);
  } finally {
    await database.end();
  }
}

seed().catch(failStart);
