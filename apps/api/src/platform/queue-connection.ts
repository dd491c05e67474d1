import type { BackendFactory, ConnectionOptions, IQueueBackend } from 'bullmq';
import { createPostgresBackend, createPostgresRelayBackend, createRedisBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { type Broadcast, broadcastOverPostgres, broadcastOverRedis } from './broadcast.js';
import type { QueueLog } from './log.js';

/** Where the queue lives: Redis where there is one, else the schema `bullmq` of the application's own database. */
export interface QueueEnvironment {
  readonly redisUrl: string | null;
  readonly databaseUrl: string;
}

/** One shared connection to the queue's store, with what speaks to it. */
export interface QueueConnection {
  readonly kind: 'redis' | 'postgres';
  readonly connection: ConnectionOptions;
  readonly queueBackend: BackendFactory<IQueueBackend, ConnectionOptions>;
  readonly broadcast: Broadcast;
  /** Rejects where the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Connections of the Postgres backend: two listen (worker, relay), the others are shared by all queries. */
const POSTGRES_CONNECTIONS = 6;

/**
 * Connects to the queue's store and waits until it answers. The owner of the database migrates schema `bullmq`; here
 * nothing is created.
 */
export async function openQueueConnection(
  environment: QueueEnvironment,
  log: QueueLog,
): Promise<QueueConnection> {
  const queue =
    environment.redisUrl === null
      ? connectPostgres(environment.databaseUrl, log)
      : connectRedis(environment.redisUrl, log);
  await queue.ping();
  return queue;
}

const PING_MS = 3_000;

async function inTime(answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the queue did not answer in time')), PING_MS);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function connectPostgres(databaseUrl: string, log: QueueLog): QueueConnection {
  const pool = new Pool({
    connectionString: databaseUrl,
    options: '-c search_path=bullmq',
    max: POSTGRES_CONNECTIONS,
    keepAlive: true,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'a connection of the queue was lost'));
  return {
    kind: 'postgres',
    connection: pool,
    // BullMQ types its classes for Redis first; a factory is told its options by the class that it is given to.
    queueBackend: createPostgresBackend as BackendFactory<IQueueBackend, ConnectionOptions>,
    broadcast: broadcastOverPostgres(pool, createPostgresRelayBackend, log),
    ping: () => inTime(pool.query('SELECT 1')),
    close: () => pool.end(),
  };
}

function connectRedis(url: string, log: QueueLog): QueueConnection {
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectionName: 'countersign' });
  redis.on('error', (error) => log.warn({ err: error }, 'the queue does not answer'));
  redis.on('ready', () => {
    checkEviction(redis, log).catch((error: unknown) => log.warn({ err: error }, 'the queue lost its check'));
  });
  return {
    kind: 'redis',
    connection: redis,
    queueBackend: createRedisBackend as BackendFactory<IQueueBackend, ConnectionOptions>,
    broadcast: broadcastOverRedis(redis, log),
    // While it is away ioredis keeps commands for later: an answer that does not come in time is none.
    ping: () => inTime(redis.ping()),
    close: async () => {
      redis.disconnect();
    },
  };
}

/** A Redis that evicts keys loses jobs in silence. INFO rather than CONFIG: managed services forbid the latter. */
async function checkEviction(redis: Redis, log: QueueLog): Promise<void> {
  const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
  if (policy !== undefined && policy !== 'noeviction') {
    log.warn({ policy }, 'Redis may evict jobs: set maxmemory-policy to noeviction');
  }
}
