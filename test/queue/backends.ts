import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import type { QueueEnvironment } from '../../apps/api/src/platform/queue-connection.js';
import { cloneDatabase } from '../support/database.js';
import { freePort } from '../support/server-process.js';

/** A store of its own for the queue, and how to lose everything in it. */
export interface QueueBackend {
  readonly environment: QueueEnvironment;
  loseEverything(): Promise<void>;
  stop(): Promise<void>;
}

/** The Redis (or Valkey) of this machine, or null where there is none. */
export const redisServer: string | null =
  ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0) ?? null;

/** Starts a private Redis without persistence. */
export async function startRedis(command: string): Promise<QueueBackend> {
  const port = await freePort();
  const server = spawn(command, [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  await untilItSays(server, /Ready to accept connections/);
  return {
    environment: { redisUrl: `redis://127.0.0.1:${port}`, databaseUrl: '' },
    loseEverything: async () => {
      await sendToRedis(port, 'FLUSHALL');
    },
    stop: async () => {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await gone;
    },
  };
}

/** A database of its own, as the migrations leave it. */
export async function startPostgres(): Promise<QueueBackend> {
  const database = await cloneDatabase();
  return {
    environment: { redisUrl: null, databaseUrl: database.appUrl },
    loseEverything: async () => {
      const owner = new Client({ connectionString: database.ownerUrl });
      await owner.connect();
      const tables = await owner.query<{ name: string }>(
        "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'bullmq' AND tablename <> 'migration'",
      );
      await owner.query(`TRUNCATE ${tables.rows.map(({ name }) => `bullmq.${name}`).join(', ')}`);
      await owner.end();
    },
    stop: () => database.drop(),
  };
}

/** Resolves once the process wrote a line that matches. */
export function untilItSays(child: ChildProcess, line: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (line.test(said)) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
}

/** One command in Redis's inline form. */
async function sendToRedis(port: number, command: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${command}\r\n`);
  await once(socket, 'data');
  socket.destroy();
}
