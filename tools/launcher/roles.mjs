// Who may do what in Postgres. The owner migrates; the application's role owns nothing and passes no row security.
import pg from 'pg';
import { connect, target } from './connect.mjs';
import { errorCode } from './error-code.mjs';
import { StartError } from './say.mjs';

/** Has the grants on tables and functions; the role of DATABASE_URL is a member. */
const APPLICATION_GROUP = 'countersign_app';
/** Owns the functions that cross tenants. The owner must be able to give it a function. */
const CLAIMER = 'countersign_claimer';
const OLDEST_POSTGRES = 15;

/**
 * @typedef {object} RoleState what Postgres says of our roles
 * @property {number} major version of the server
 * @property {boolean} group the application's group exists
 * @property {boolean} claimer exists
 * @property {{ superuser: boolean, bypassesRowSecurity: boolean, inGroup: boolean } | undefined} login undefined: no such role
 * @property {boolean} ownerMayGive the owner can make the claimer a function's owner
 */

/**
 * Makes what is missing of the roles. Where the owner may not make roles (a managed Postgres), says which are missing
 * and the SQL to run.
 *
 * @param {string} ownerUrl @param {string} applicationUrl
 */
export async function ensureRoles(ownerUrl, applicationUrl) {
  const owner = target(ownerUrl).user;
  const login = target(applicationUrl);
  const client = await connect(ownerUrl, 'DATABASE_MIGRATION_URL');
  try {
    await client.query(`SELECT pg_advisory_lock(hashtext('countersign.roles'))`);
    const state = await readRoles(client, owner, login.user);
    refuseUnsafe(state, login.user);
    const statements = missingRoles(state, owner, login.user);
    try {
      for (const statement of statements) {
        await client.query(statement.replace(PASSWORD, pg.escapeLiteral(login.password)));
      }
    } catch (error) {
      if (errorCode(error) === '42501') {
        throw new StartError(
          `${owner} may not make roles here. Run this as an administrator, then start again:\n${statements.map((one) => `  ${one};`).join('\n')}`,
        );
      }
      throw error;
    }
  } finally {
    await client.end();
  }
}

/** Stands for the password in statements that may be shown. */
const PASSWORD = `'<password of DATABASE_URL>'`;

/**
 * The statements that bring the roles from this state to the wanted one.
 *
 * @param {RoleState} state @param {string} owner @param {string} login
 * @returns {string[]}
 */
export function missingRoles(state, owner, login) {
  const statements = [];
  if (!state.group) {
    statements.push(`CREATE ROLE ${APPLICATION_GROUP} NOLOGIN`);
  }
  if (!state.claimer) {
    statements.push(`CREATE ROLE ${CLAIMER} NOLOGIN`);
  }
  if (state.login === undefined) {
    statements.push(`CREATE ROLE ${pg.escapeIdentifier(login)} LOGIN PASSWORD ${PASSWORD}`);
  }
  if (state.login?.inGroup !== true) {
    statements.push(`GRANT ${APPLICATION_GROUP} TO ${pg.escapeIdentifier(login)}`);
  }
  if (!state.ownerMayGive) {
    // Postgres 16 began to tell membership from the right to become the role: who made it has neither.
    const options = state.major >= 16 ? ' WITH INHERIT FALSE, SET TRUE' : '';
    statements.push(`GRANT ${CLAIMER} TO ${pg.escapeIdentifier(owner)}${options}`);
  }
  return statements;
}

/** @param {RoleState} state @param {string} login */
export function refuseUnsafe({ major, login: role }, login) {
  if (major < OLDEST_POSTGRES) {
    throw new StartError(`Postgres is version ${major}; Countersign takes ${OLDEST_POSTGRES} or newer`);
  }
  if (role?.superuser || role?.bypassesRowSecurity) {
    throw new StartError(
      `DATABASE_URL's role ${login} is ${role.superuser ? 'a superuser' : 'BYPASSRLS'}; it takes a role that row-level security holds for`,
    );
  }
}

/** @param {pg.Client} client @param {string} owner @param {string} login @returns {Promise<RoleState>} */
async function readRoles(client, owner, login) {
  const { rows: settings } = await client.query(
    `SELECT current_setting('server_version_num')::int / 10000 AS major`,
  );
  const major = settings[0].major;
  const { rows } = await client.query(
    `SELECT rolname, rolsuper, rolbypassrls,
            rolname = $1 AND EXISTS (SELECT FROM pg_roles WHERE rolname = $2)
              AND (SELECT pg_has_role($1, oid, 'USAGE') FROM pg_roles WHERE rolname = $2) AS in_group,
            rolname = $3 AND pg_has_role($4, oid, $5) AS may_give
       FROM pg_roles WHERE rolname IN ($1, $2, $3)`,
    [login, APPLICATION_GROUP, CLAIMER, owner, major >= 16 ? 'SET' : 'MEMBER'],
  );
  const named = (/** @type {string} */ name) => rows.find(({ rolname }) => rolname === name);
  const role = named(login);
  return {
    major,
    group: named(APPLICATION_GROUP) !== undefined,
    claimer: named(CLAIMER) !== undefined,
    login: role && {
      superuser: role.rolsuper,
      bypassesRowSecurity: role.rolbypassrls,
      inGroup: role.in_group === true,
    },
    ownerMayGive: named(CLAIMER)?.may_give === true,
  };
}

/**
 * On the embedded Postgres: the owner, who may make roles and databases but is no superuser, and a database of its own.
 *
 * @param {string} superuserUrl
 * @param {{ owner: string, password: string, database: string }} wanted
 */
export async function ensureOwnedDatabase(superuserUrl, { owner, password, database }) {
  const client = await connect(superuserUrl, 'the embedded Postgres');
  const name = pg.escapeIdentifier(owner);
  try {
    const roles = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [owner]);
    if (roles.rowCount === 0) {
      await client.query(
        `CREATE ROLE ${name} LOGIN CREATEROLE CREATEDB PASSWORD ${pg.escapeLiteral(password)}`,
      );
    }
    const databases = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (databases.rowCount === 0) {
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${name}`);
    }
  } finally {
    await client.end();
  }
}
