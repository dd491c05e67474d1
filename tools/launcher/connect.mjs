import pg from 'pg';
import { errorCode } from './error-code.mjs';
import { StartError } from './say.mjs';

/**
 * @param {string} url of a database
 * @returns {{ user: string, password: string, host: string, port: string, database: string }}
 */
export function target(url) {
  const { username, password, hostname, port, pathname } = new URL(url);
  return {
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    host: hostname,
    port: port || '5432',
    database: decodeURIComponent(pathname.slice(1)),
  };
}

/**
 * Opens one connection; what commonly goes wrong is said in one line that never shows the password.
 *
 * @param {string} url
 * @param {string} name what the operator set
 */
export async function connect(url, name) {
  const { user, host, port, database } = target(url);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = errorCode(error);
    if (code === '3D000') {
      throw new StartError(
        `${name}: there is no database ${database} at ${host}:${port}; run CREATE DATABASE ${database}`,
      );
    }
    if (code === '28P01' || code === '28000') {
      throw new StartError(`${name}: Postgres at ${host}:${port} refuses ${user} or its password`);
    }
    throw new StartError(`${name}: no Postgres answers at ${host}:${port} (${code || error})`);
  }
}
