import pg from 'pg';

/** @param {string} url of the datasource, with Prisma's own query parameters */
export function target(url) {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get('schema') ?? undefined;
  parsed.searchParams.delete('schema');
  return {
    connectionString: parsed.href,
    schema,
    database: decodeURIComponent(parsed.pathname.slice(1)),
    host: parsed.hostname,
    port: parsed.port || '5432',
  };
}

/**
 * Separate settings instead of the connection string: node-postgres lets a connection string win over `database`, and
 * then a shadow database would silently be the real one.
 *
 * @param {string} url
 * @returns {pg.PoolConfig}
 */
export function poolConfig(url) {
  const { searchParams, hostname, port, username, password, pathname } = new URL(url);
  const sslmode = searchParams.get('sslmode');
  return {
    host: searchParams.get('host') ?? decodeURIComponent(hostname),
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    max: 2,
    ...(sslmode === null || sslmode === 'disable'
      ? {}
      : { ssl: sslmode === 'verify-full' ? true : { rejectUnauthorized: false } }),
  };
}

/**
 * Runs statements in the server's maintenance database.
 *
 * @param {string} url @param {string} statement
 */
export async function administer(url, statement) {
  await withClient({ ...poolConfig(url), database: 'postgres' }, (client) => client.query(statement));
}

/** @param {string} url @returns {Promise<string>} the database's name */
export async function createDatabase(url) {
  const { database } = target(url);
  await administer(url, `CREATE DATABASE ${pg.escapeIdentifier(database)}`);
  return database;
}

/** @param {string} url */
export async function dropDatabase(url) {
  await administer(url, `DROP DATABASE ${pg.escapeIdentifier(target(url).database)}`);
}

/** @param {string} url */
export async function canConnect(url) {
  await withClient(poolConfig(url), (client) => client.query('SELECT 1'));
}

/**
 * An error in the words and with the code that Prisma's command line knows.
 *
 * @param {unknown} error @param {string} url
 * @returns {{ message: string, error_code?: string }}
 */
export function explain(error, url) {
  const { code = '', message } = /** @type {{ code?: string, message: string }} */ (error);
  const { database, host, port } = URL.canParse(url) ? target(url) : { database: '', host: '', port: '' };
  if (code === '3D000') {
    return { message: `Database \`${database}\` does not exist`, error_code: 'P1003' };
  }
  if (code === '28P01') {
    return { message, error_code: 'P1000' };
  }
  if (/ECONN|ENOTFOUND|ETIMEDOUT/.test(code)) {
    return { message: `Can't reach database server at \`${host}:${port}\``, error_code: 'P1001' };
  }
  return { message };
}

/** @param {pg.ClientConfig} config @param {(client: pg.Client) => Promise<unknown>} work */
async function withClient(config, work) {
  const client = new pg.Client(config);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
