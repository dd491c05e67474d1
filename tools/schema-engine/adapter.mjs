import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { administer, poolConfig, target } from './database.mjs';

/**
 * @typedef {import('@prisma/driver-adapter-utils').SqlQuery} SqlQuery
 * @typedef {import('@prisma/driver-adapter-utils').SqlResultSet} SqlResultSet
 * @typedef {Awaited<ReturnType<PrismaPg['connect']>>} Adapter
 * @typedef {{ fields: { dataTypeID: number }[], rows: unknown[] }} Answer
 * @typedef {{ performIO(query: SqlQuery): Promise<Answer>, onError(error: unknown): never, client: pg.Pool, queryRaw(query: SqlQuery): Promise<SqlResultSet> }} Internals
 */

/** Types of Postgres' own catalog that adapter-pg refuses (prisma/orm#27403): "char" and text arrays of names. */
const CATALOG_TYPES = new Map([
  [18, ColumnTypeEnum.Character],
  [1003, ColumnTypeEnum.TextArray],
]);
const TEXT = 25;

/** adapter-pg as migrations need it: catalog types, whole scripts, and shadow databases that are dropped. */
export class MigrationAdapter extends PrismaPg {
  /** @param {{ url?: string, shadowDatabaseUrl?: string }} source */
  constructor(source) {
    const url = source.url ?? 'postgresql://127.0.0.1:1/none';
    super(poolConfig(url), withSchema(url));
    this.url = url;
    this.shadowUrl = source.shadowDatabaseUrl;
  }

  /** @override */
  async connect() {
    return fitForMigrations(await super.connect());
  }

  /**
   * The adapter's own version drops the shadow database while its pool is open, so the drop fails.
   *
   * @override
   */
  async connectToShadowDb() {
    if (this.shadowUrl !== undefined) {
      return fitForMigrations(
        await new PrismaPg(poolConfig(this.shadowUrl), withSchema(this.shadowUrl)).connect(),
      );
    }
    const database = `prisma_migrate_shadow_db_${randomUUID()}`;
    const name = pg.escapeIdentifier(database);
    await administer(this.url, `CREATE DATABASE ${name} TEMPLATE template0`);
    const adapter = fitForMigrations(await new PrismaPg({ ...poolConfig(this.url), database }).connect());
    const dispose = adapter.dispose.bind(adapter);
    /** @type {Promise<void> | undefined} */
    let disposed;
    adapter.dispose = () => {
      disposed ??= dispose().then(() => administer(this.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      return disposed;
    };
    return adapter;
  }
}

/** @param {string} url */
function withSchema(url) {
  const { schema } = target(url);
  return schema === undefined ? undefined : { schema };
}

/** @param {Adapter} adapter @returns {Adapter} */
function fitForMigrations(adapter) {
  readCatalogTypes(adapter);
  const internals = /** @type {Internals} */ (/** @type {unknown} */ (adapter));
  // The adapter cuts a script at each semicolon, and with it functions and DO blocks.
  adapter.executeScript = async (script) => {
    try {
      await internals.client.query(script);
    } catch (error) {
      internals.onError(error);
    }
  };
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolation) => {
    const transaction = await startTransaction(isolation);
    readCatalogTypes(transaction);
    return transaction;
  };
  return adapter;
}

/**
 * Has the adapter read catalog types as text, and gives them back under their own names.
 *
 * @param {object} queryable an adapter or one of its transactions
 */
function readCatalogTypes(queryable) {
  const internals = /** @type {Internals} */ (queryable);
  const performIO = internals.performIO.bind(queryable);
  const readAs = Object.getPrototypeOf(Object.getPrototypeOf(queryable)).queryRaw;
  internals.queryRaw = async (query) => {
    const { fields, rows } = await performIO(query);
    const odd = fields.map((field) => CATALOG_TYPES.get(field.dataTypeID));
    const shown = fields.map((field, at) => (odd[at] === undefined ? field : { ...field, dataTypeID: TEXT }));
    const view = { __proto__: queryable, performIO: async () => ({ rows, fields: shown }) };
    /** @type {SqlResultSet} */
    const result = await readAs.call(view, query);
    return { ...result, columnTypes: result.columnTypes.map((type, at) => odd[at] ?? type) };
  };
}
