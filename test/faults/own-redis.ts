import { type ChildProcess, spawn } from 'node:child_process';
import { Redis } from 'ioredis';
import { testServices } from '../support/environment.js';
import { freePort } from '../support/server-process.js';

/** A Redis of a test's own, which keeps nothing: for what must not be done to the one that all tests share. */
export interface OwnRedis {
  readonly url: string;
  flush(): Promise<void>;
  /** SIGKILL, and again an empty one at the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Null where this machine has no Redis: the queue is in Postgres then. */
export async function startOwnRedis(): Promise<OwnRedis | null> {
  if (testServices().redisUrl === null) return null;
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child = await start(port, url);
  const kill = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  return {
    url,
    flush: () => ask(url, (redis) => redis.flushall()),
    restart: async () => {
      await kill();
      child = await start(port, url);
    },
    stop: kill,
  };
}

async function start(port: number, url: string): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', settings, { stdio: 'ignore' });
  await ask(url, (redis) => redis.ping());
  return child;
}

async function ask(url: string, question: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on('error', () => undefined);
  await question(redis);
  redis.disconnect();
}
