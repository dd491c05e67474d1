#!/usr/bin/env node
// Stands in for Prisma's native schema engine, which the command line would download at first use: the same engine as
// wasm (same commit), over adapter-pg, speaking the same line-delimited JSON-RPC on standard input and output.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { canConnect, createDatabase, dropDatabase, explain } from './schema-engine/database.mjs';
import { engineVersion, openEngine } from './schema-engine/engine.mjs';
import { serve } from './schema-engine/rpc.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true, short: 'd' },
    datasource: { type: 'string' },
    'enabled-preview-features': { type: 'string' },
    'extension-types': { type: 'string' },
    version: { type: 'boolean' },
  },
});
/** @type {{ url?: string, shadowDatabaseUrl?: string }} */
const source = values.datasource === undefined ? {} : JSON.parse(String(values.datasource));

if (values.version === true) {
  console.log(`schema-engine-wasm ${engineVersion}`);
} else if (positionals[0] === 'cli') {
  process.exit(await runCommand(String(positionals[1]), source.url ?? ''));
} else {
  const files = /** @type {string[]} */ (values.datamodels ?? []);
  const datamodels = files.map(
    (file) => /** @type {[string, string]} */ ([file, readFileSync(file, 'utf8')]),
  );
  serve({ openEngine: () => openEngine(source, datamodels), url: source.url });
}

/** @param {string} name @param {string} url @returns {Promise<number>} */
async function runCommand(name, url) {
  const all = {
    'can-connect-to-database': canConnect,
    'create-database': createDatabase,
    'drop-database': dropDatabase,
  };
  try {
    const command = all[/** @type {keyof typeof all} */ (name)];
    if (command === undefined) {
      throw new Error(`unknown command ${name}`);
    }
    await command(url);
    return 0;
  } catch (error) {
    const { message, error_code } = explain(error, url);
    const fields = { message, is_panic: false, ...(error_code === undefined ? {} : { error_code }) };
    // The command line reads log lines from standard error.
    const line = {
      timestamp: new Date().toISOString(),
      level: 'ERROR',
      target: 'schema_engine::logger',
      fields,
    };
    process.stderr.write(`\n${JSON.stringify(line)}\n`);
    return 1;
  }
}
