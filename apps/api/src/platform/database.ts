import {
  Pool,
  DatabaseError as PostgresError,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { DatabaseError } from './database-error.js';
import { endsConnection, Pipeline } from './pipeline.js';

/** The connections of a process to Postgres, as the application's role. */
export interface Database {
  /** For statements that stand alone and are as short as a step. */
  readonly pipeline: Pipeline;
  /** For what takes long, and for what holds a connection over several statements. */
  readonly pool: Pool;
  /** Resolves once what is under way has ended and every connection is closed. */
  end(): Promise<void>;
}

export interface DatabaseOptions {
  /** URL of the application's role. */
  readonly url: string;
  /** Connections in the pool at most. */
  readonly pooled: number;
}

/** Most connections of the pipeline: few are at work at a time, the others are for when those stand still. */
const PIPELINED = 8;
/** How long a statement may wait for a connection. */
export const CONNECT_MS = 10_000;
/** A statement that takes longer is cancelled by Postgres. */
export const STATEMENT_MS = 30_000;
/** A connection of the pipeline that has not answered by then is lost, and closed: Postgres would have cancelled. */
const ANSWER_MS = 2 * STATEMENT_MS;
/** After so long in silence the other end is asked whether it is there: what lies between forgets silent connections. */
const SILENCE_MS = 30_000;

/** Opens both; the first statement connects. */
export function openDatabase({ url, pooled }: DatabaseOptions): Database {
  const config = {
    connectionString: url,
    statement_timeout: STATEMENT_MS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENCE_MS,
    application_name: 'countersign',
  };
  const pipeline = new Pipeline({ ...config, query_timeout: ANSWER_MS }, PIPELINED);
  const pool = new Pool({ ...config, max: pooled });
  // A connection that breaks while idle is replaced when it is needed; without a listener it ends the process.
  pool.on('error', () => undefined);
  const end = async (): Promise<void> => {
    await Promise.all([pipeline.end(), pool.end()]);
  };
  return { pipeline, pool, end };
}

/** What goes in as a value: text may stand for json, numeric and bigint, which Postgres reads from it. */
type Value = string | number | boolean | null | readonly string[] | readonly number[];

/** What a statement is sent on. */
interface Connections {
  query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>>;
}

type FunctionResult = string | number | boolean | null;

/** A call of one of the SQL functions, as it is prepared. */
interface FunctionCall {
  readonly text: string;
  readonly names: readonly string[];
}

const calls = new Map<string, FunctionCall>();

/**
 * Calls one of the SQL functions of prisma/migrations, each of which does a whole step; those that work for a tenant bind
 * themselves to it. `given` is by name: leaseMs is the function's p_lease_ms. The call is prepared once a connection,
 * under the function's name.
 * @returns what the function returned: text, a number or null.
 * @throws DatabaseError
 */
export function callFunction<Result extends FunctionResult>(
  { pipeline }: Database,
  name: string,
  given: Readonly<Record<string, Value>> = {},
): Promise<Result> {
  return resultOf(pipeline, name, given);
}

/** As callFunction, for one that may take longer than a step: it holds up nobody else. */
export function callLongFunction<Result extends FunctionResult>(
  { pool }: Database,
  name: string,
  given: Readonly<Record<string, Value>> = {},
): Promise<Result> {
  return resultOf(pool, name, given);
}

async function resultOf<Result extends FunctionResult>(
  connections: Connections,
  name: string,
  given: Readonly<Record<string, Value>>,
): Promise<Result> {
  const call = calls.get(name) ?? callOf(name, Object.keys(given));
  calls.set(name, call);
  const { text, names } = call;
  const values = names.map((each) => given[each] ?? null);
  const { rows } = await inOurWords(connections.query<{ readonly result: Result }>({ name, text, values }));
  const [row] = rows;
  if (row === undefined) throw new Error('a function returned no row');
  return row.result;
}

function callOf(name: string, names: readonly string[]): FunctionCall {
  const places = names.map((each, index) => {
    const parameter = each.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return `p_${parameter} => $${index + 1}`;
  });
  return { text: `SELECT ${name}(${places.join(', ')}) AS result`, names };
}

/**
 * One statement that needs no tenant, or binds itself to one. With a name it is prepared once a connection: for the few
 * that are asked often.
 * @throws DatabaseError
 */
export async function readRows<Row extends QueryResultRow>(
  { pipeline }: Database,
  text: string,
  values: readonly Value[] = [],
  name?: string,
): Promise<readonly Row[]> {
  const { rows } = await inOurWords(
    pipeline.query<Row>({ ...(name === undefined ? {} : { name }), text, values: [...values] }),
  );
  return rows;
}

/**
 * The rows of one read that is too large to hold, page by page, all as of one moment. Bound to a tenant (invariant I8).
 * A connection is held until the last page was taken.
 * @throws DatabaseError
 */
export async function* readPages<Row extends object>(
  { pool }: Database,
  tenant: string,
  { text, values, rows }: { readonly text: string; readonly values: readonly Value[]; readonly rows: number },
): AsyncGenerator<readonly Row[]> {
  const client = await inOurWords(pool.connect());
  let failed = true;
  try {
    await inOurWords(client.query('BEGIN READ ONLY'));
    await inOurWords(client.query("SELECT set_config('app.tenant', $1, true)", [tenant]));
    // All of it will be read: Postgres would plan for the first tenth.
    await inOurWords(client.query('SET LOCAL cursor_tuple_fraction = 1'));
    await inOurWords(client.query(`DECLARE pages NO SCROLL CURSOR FOR ${text}`, [...values]));
    for (;;) {
      const page = await inOurWords(client.query<Row>(`FETCH ${rows} FROM pages`));
      if (page.rows.length > 0) yield page.rows;
      if (page.rows.length < rows) break;
    }
    await inOurWords(client.query('COMMIT'));
    failed = false;
  } finally {
    // A connection in the middle of a transaction is no use to anybody: it is closed, not handed on.
    client.release(failed);
  }
}

/** The time by Postgres's clock, in milliseconds since the epoch (invariant I2). */
export async function readDatabaseTime(database: Database): Promise<number> {
  const [row] = await readRows<{ now: string }>(database, 'SELECT milliseconds(clock_timestamp()) AS now');
  return Number(row?.now);
}

async function inOurWords<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new DatabaseError(kindOf(error), error);
  }
}

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const KINDS: Readonly<Record<string, DatabaseError['kind']>> = {
  '23505': 'duplicate',
  '40001': 'busy',
  '40P01': 'busy',
  '53300': 'busy',
  '55P03': 'busy',
  '57014': 'busy',
};

/** Classes about the values themselves: data, integrity constraints, and rows that are too large. */
const NEVER_TAKEN: ReadonlySet<string> = new Set(['22', '23', '54']);

/** What ends a connection, or refuses one, says nothing of the statement that waited for it. */
function kindOf(error: unknown): DatabaseError['kind'] {
  const code = error instanceof PostgresError ? (error.code ?? '') : '';
  const kind = KINDS[code];
  if (kind !== undefined) return kind;
  if (endsConnection(error) || code.startsWith('08') || code.startsWith('57P')) return 'unreachable';
  return NEVER_TAKEN.has(code.slice(0, 2)) ? 'refused' : 'failed';
}
