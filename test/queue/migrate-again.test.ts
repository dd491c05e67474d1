import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { openQueue } from '../../apps/api/src/platform/wake.js';
import { cloneDatabase } from '../support/database.js';

const migrate = resolve(__dirname, '../../tools/run.mjs');
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test('a database whose queue has been in use is migrated again without complaint: the next start', async () => {
  const database = await cloneDatabase();
  try {
    const environment = { redisUrl: null, databaseUrl: database.appUrl };
    const queue = await openQueue(environment, silent);
    await queue.wake.runs();
    await queue.close();
    const env = {
      ...process.env,
      REDIS_URL: '',
      DATABASE_URL: database.appUrl,
      DATABASE_MIGRATION_URL: database.ownerUrl,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [migrate, 'migrate'], { env });
    expect(stdout).toContain('The database is migrated');
  } finally {
    await database.drop();
  }
});
