import { withServers } from '../support/definitions.js';
import { type Stack, withStack } from '../support/stack.js';
import { startLoad, unhurt } from './load.js';
import { type OwnRedis, startOwnRedis } from './own-redis.js';

const RUNS = 24;

type Loss = (stack: Stack, redis: OwnRedis | null) => Promise<void>;

const LOSSES: Readonly<Record<string, Loss>> = {
  'is emptied': (stack, redis) => (redis === null ? emptySchema(stack) : redis.flush()),
  'dies and comes back empty': (stack, redis) => (redis === null ? emptySchema(stack) : redis.restart()),
};

describe.each(Object.entries(LOSSES))('a queue that %s', (_name, lose) => {
  test('while runs are queued and running loses no run, and has none done twice', async () => {
    const redis = await startOwnRedis();
    const env = { WORKER_LEASE_SECONDS: '1', WORKER_CONCURRENCY: '2' };
    const queue = redis === null ? {} : { REDIS_URL: redis.url };
    try {
      await withStack({ env: { ...env, ...queue }, workers: 2 }, (stack) =>
        withServers(async (servers) => {
          const load = await startLoad(stack, servers, RUNS);
          await lose(stack, redis);
          await lose(stack, redis);
          expect(await load.outcome()).toEqual(unhurt(RUNS));
        }),
      );
    } finally {
      await redis?.stop();
    }
  });

  test('while nobody works loses no run that is queued', async () => {
    const redis = await startOwnRedis();
    const env = { WORKER_LEASE_SECONDS: '1', ...(redis === null ? {} : { REDIS_URL: redis.url }) };
    try {
      await withStack({ env, workers: 0 }, (stack) =>
        withServers(async (servers) => {
          const load = await startLoad(stack, servers, 4);
          await lose(stack, redis);
          await stack.startWorker();
          expect(await load.outcome()).toEqual(unhurt(4));
        }),
      );
    } finally {
      await redis?.stop();
    }
  });
});

/** Where the queue is in Postgres: every job of every kind. */
async function emptySchema({ database }: Stack): Promise<void> {
  await database.query(
    `DO $$ DECLARE each regclass; BEGIN
       FOR each IN SELECT oid FROM pg_class WHERE relnamespace = 'bullmq'::regnamespace AND relkind = 'r'
         AND relname ~ 'job' LOOP EXECUTE format('DELETE FROM %s', each); END LOOP; END $$`,
  );
}
