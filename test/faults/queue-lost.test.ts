import { withServers } from '../support/definitions.js';
import { type Stack, startStack } from '../support/stack.js';
import { startLoad, unhurt } from './load.js';
import { type OwnRedis, startOwnRedis } from './own-redis.js';

const RUNS = 24;

jest.setTimeout(300_000);

type Loss = (stack: Stack, redis: OwnRedis | null) => Promise<void>;

const LOSSES: Readonly<Record<string, Loss>> = {
  'is emptied': (stack, redis) => (redis === null ? emptySchema(stack) : redis.flush()),
  'dies and comes back empty': (stack, redis) => (redis === null ? emptySchema(stack) : redis.restart()),
};

describe('a queue that', () => {
  let redis: OwnRedis | null;
  let stack: Stack;
  beforeAll(async () => {
    redis = await startOwnRedis();
    const env = { WORKER_LEASE_SECONDS: '1', WORKER_CONCURRENCY: '2' };
    stack = await startStack({
      env: { ...env, ...(redis === null ? {} : { REDIS_URL: redis.url }) },
      workers: 2,
    });
  });
  afterAll(async () => {
    await stack.stop();
    await redis?.stop();
  });

  test.each(Object.entries(LOSSES))(
    '%s while runs are queued and running loses no run, and doubles none',
    (_name, lose) =>
      withServers(async (servers) => {
        const load = await startLoad(stack, servers, RUNS);
        await lose(stack, redis);
        await lose(stack, redis);
        expect(await load.outcome()).toEqual(unhurt(RUNS));
      }),
  );

  test.each(Object.entries(LOSSES))('%s while nobody works loses no run that is queued', (_name, lose) =>
    withServers(async (servers) => {
      for (const worker of stack.workers) worker.signal('SIGSTOP');
      const load = await startLoad(stack, servers, 4);
      await lose(stack, redis);
      for (const worker of stack.workers) worker.signal('SIGCONT');
      expect(await load.outcome()).toEqual(unhurt(4));
    }),
  );
});

/** Where the queue is in Postgres: every job of every kind. */
async function emptySchema({ database }: Stack): Promise<void> {
  await database.query(
    `DO $$ DECLARE each regclass; BEGIN
       FOR each IN SELECT oid FROM pg_class WHERE relnamespace = 'bullmq'::regnamespace AND relkind = 'r'
         AND relname ~ 'job' LOOP EXECUTE format('DELETE FROM %s', each); END LOOP; END $$`,
  );
}
