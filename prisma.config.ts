import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'prisma/config';

const root = __dirname;
const engines = path.join(root, 'node_modules/@prisma/engines');
const hasNativeEngine =
  existsSync(engines) && readdirSync(engines).some((file) => file.startsWith('schema-engine-'));

// Prisma's command line wants to download a native engine. Installed here without scripts, it is not there:
// then the wasm build of the same engine, which npm did install, stands in for it.
if (!hasNativeEngine) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(root, 'tools/schema-engine.mjs');
}
process.env.CHECKPOINT_DISABLE ??= '1';

/** Migrations run as the owner; `generate` needs no database, so the url may be absent. */
const url = process.env.DATABASE_MIGRATION_URL ?? process.env.DATABASE_URL;

export default defineConfig({
  schema: path.join('prisma', 'schema.prisma'),
  migrations: { path: path.join('prisma', 'migrations') },
  ...(url === undefined ? {} : { datasource: { url } }),
});
