import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { MigrationAdapter } from './adapter.mjs';

const folder = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));

/** @type {string} */
export const engineVersion = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version;

/** @type {string | undefined} */
let panic;

/** What the engine said last before it gave up, if it did. */
export function lastPanic() {
  return panic;
}

/**
 * @param {{ url?: string, shadowDatabaseUrl?: string }} source
 * @param {[string, string][]} datamodels path and content
 */
export function openEngine(source, datamodels) {
  loadWasm();
  return bindings.SchemaEngine.new(
    { datamodels: datamodels.length === 0 ? undefined : datamodels },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new MigrationAdapter(source)),
  );
}

/** As the package's own entry does under bundlers; Node 20 cannot import wasm. */
function loadWasm() {
  const registry = {
    /** @param {string} message */
    set_message(message) {
      panic = message;
    },
  };
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: registry });
  const module = new WebAssembly.Module(readFileSync(path.join(folder, 'schema_engine_bg.wasm')));
  const imports = /** @type {WebAssembly.ModuleImports} */ (/** @type {unknown} */ (bindings));
  const { exports } = new WebAssembly.Instance(module, { './schema_engine_bg.js': imports });
  const glue = /** @type {{ __wbg_set_wasm(exports: WebAssembly.Exports): void }} */ (
    /** @type {unknown} */ (bindings)
  );
  glue.__wbg_set_wasm(exports);
  if (typeof exports.__wbindgen_start === 'function') {
    exports.__wbindgen_start();
  }
}
