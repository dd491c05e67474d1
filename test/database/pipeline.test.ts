import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { Client } from 'pg';
import { openDatabase } from '../../apps/api/src/platform/database.js';
import { Pipeline } from '../../apps/api/src/platform/pipeline.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let pipeline: Pipeline;

beforeAll(async () => {
  database = await cloneDatabase();
});

beforeEach(() => {
  pipeline = new Pipeline({ connectionString: database.appUrl, application_name: 'pipeline' }, 3);
});

afterEach(() => pipeline.end());

afterAll(() => database.drop());

const ask = async (text: string) => (await pipeline.query<{ answer: number }>({ text })).rows[0]?.answer;
const one = (answer: number) => ask(`SELECT ${answer} AS answer`);

/** AuthenticationSASL: https://www.postgresql.org/docs/18/protocol-message-formats.html */
const UNKNOWN_MECHANISM = Buffer.from('R\0\0\0\x11\0\0\0\x0aUNKNOWN\0\0', 'latin1');

async function listening(server: Server): Promise<{ readonly host: string; readonly port: number }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

it('answers come to whoever asked, however many are under way', async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  expect(await Promise.all(numbers.map(one))).toEqual(numbers);
});

it('a statement is prepared once a connection, by its name, however many of it are under way', async () => {
  const named = (values: [number]) =>
    pipeline.query<{ answer: number }>({ name: 'add', text: 'SELECT $1::int + 1 AS answer', values });
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  const rows = await Promise.all(numbers.map((number) => named([number])));
  expect(rows.map((each) => each.rows[0]?.answer)).toEqual(numbers.map((number) => number + 1));
});

it('one that fails takes none with it', async () => {
  const settled = await Promise.allSettled([
    one(1),
    ask('SELECT 1 / 0 AS answer'),
    one(3),
    ask('SELEKT'),
    one(5),
  ]);
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

it('each is a transaction of its own: what a failing one did is undone, what its neighbours did stands', async () => {
  const setting = (value: string, fails: boolean) =>
    ask(`SELECT set_config('app.tenant', '${value}', true), 1 / ${fails ? 0 : 1} AS answer`);
  await Promise.allSettled([setting('a', false), setting('b', true)]);
  const { rows } = await pipeline.query<{ tenant: string | null }>({
    text: `SELECT nullif(current_setting('app.tenant', true), '') AS tenant`,
  });
  expect(rows).toEqual([{ tenant: null }]);
});

it('when a connection breaks, what was sent on it fails, and the next statement is answered by another', async () => {
  const settled = await Promise.allSettled([
    one(1),
    ask('SELECT pg_terminate_backend(pg_backend_pid())'),
    one(3),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await one(4)).toBe(4);
});

it('a connection whose end was announced is sent nothing more', async () => {
  await expect(ask('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow('administrator');
  expect(await one(1)).toBe(1);
});

it('nobody listening fails what waits for a connection, each time anew', async () => {
  const nowhere = new Pipeline({ connectionString: 'postgres://nobody@127.0.0.1:1/nothing' }, 1);
  for (let turn = 0; turn < 2; turn += 1)
    await expect(nowhere.query({ text: 'SELECT 1' })).rejects.toThrow('ECONNREFUSED');
  await nowhere.end();
});

it('a value that cannot be written fails its own statement, and the next one of that name is answered', async () => {
  const echo = async (value: unknown) => {
    const statement = { name: 'echo', text: 'SELECT $1::text AS answer', values: [value] };
    return (await pipeline.query<{ answer: string }>(statement)).rows[0]?.answer;
  };
  const toJSON = () => {
    throw new Error('unwritable');
  };
  expect(await echo('before')).toBe('before');
  await expect(echo({ toJSON })).rejects.toThrow('unwritable');
  expect(await echo('after')).toBe('after');
});

it('a connection that the client gives up is closed', async () => {
  // Asks for a password in a way that nobody knows, and then waits for it.
  const server = createServer((socket) => socket.once('data', () => socket.write(UNKNOWN_MECHANISM)));
  const refused = new Pipeline(
    { ...(await listening(server)), user: 'nobody', database: 'nothing', password: 'none' },
    1,
  );
  await expect(refused.query({ text: 'SELECT 1' })).rejects.toThrow('SCRAM');
  // A server is closed once each of its connections is.
  await new Promise((closed) => server.close(closed));
  await refused.end();
});

it('a connection that answers nothing any more is given up, and the next statement is answered by another', async () => {
  const url = new URL(database.appUrl);
  const { hostname, port } = url;
  // As a network that has lost a connection without a word to either end.
  const ways: Socket[] = [];
  const server = createServer((socket) => {
    const way = connect(Number(port), hostname);
    ways.push(way);
    socket.pipe(way).pipe(socket);
    socket.on('close', () => way.destroy());
    way.on('error', () => socket.destroy());
  });
  url.port = String((await listening(server)).port);
  const through = new Pipeline({ connectionString: url.toString(), query_timeout: 500 }, 1);
  await through.query({ text: 'SELECT 1' });
  for (const way of ways) way.unpipe().resume();
  await expect(through.query({ text: 'SELECT 1' })).rejects.toThrow('timeout');
  expect((await through.query({ text: 'SELECT 2 AS answer' })).rows).toEqual([{ answer: 2 }]);
  await through.end();
  await new Promise((closed) => server.close(closed));
});

it('a connection in silence is asked whether its other end is there, before what lies between forgets it', async () => {
  const asked = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const opened = openDatabase({ url: database.appUrl, pooled: 1 });
  await opened.pipeline.query({ text: 'SELECT 1' });
  await opened.pool.query('SELECT 1');
  expect(asked.mock.calls).toEqual([
    [true, 30_000],
    [true, 30_000],
  ]);
  asked.mockRestore();
  await opened.end();
});

describe('while a statement waits for a lock', () => {
  const KEY = 4711;
  let holder: Client;
  let waiting: Promise<unknown>;

  beforeEach(async () => {
    holder = new Client({ connectionString: database.appUrl });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock($1)', [KEY]);
    waiting = ask(`SELECT 1 AS answer FROM pg_advisory_xact_lock(${KEY})`);
    await seenWaiting();
  });

  afterEach(() => holder.end());

  /** Until it has waited, by Postgres's clock, for longer than anything is sent behind it. */
  async function seenWaiting(): Promise<void> {
    for (;;) {
      const rows = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'pipeline' AND wait_event = 'advisory'
           AND clock_timestamp() - query_start > interval '20 milliseconds'`,
      );
      if (rows.length > 0) return;
    }
  }

  it('those that come later are answered on another connection', async () => {
    expect(await Promise.all([one(1), one(2), one(3)])).toEqual([1, 2, 3]);
    await holder.query('SELECT pg_advisory_unlock($1)', [KEY]);
    expect(await waiting).toBe(1);
  });

  it('the end waits for its answer, and nothing more is sent', async () => {
    const ended = pipeline.end();
    await expect(one(2)).rejects.toThrow('closed');
    await holder.query('SELECT pg_advisory_unlock($1)', [KEY]);
    expect(await waiting).toBe(1);
    await ended;
  });
});
