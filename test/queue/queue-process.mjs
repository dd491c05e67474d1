// A process beside the test: takes one wake-up and never ends it, or tells of one run through the relay.
import { createRequire } from 'node:module';

const { openQueue } = createRequire(import.meta.url)('../../apps/api/dist/platform/wake.js');

const [role, environment, payload] = process.argv.slice(2);
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const queue = await openQueue(JSON.parse(environment), silent);

if (role === 'take') {
  queue.openWorker(() => {
    process.stdout.write('taken\n');
    return new Promise(() => {});
  }, 1);
} else {
  for (const hint of JSON.parse(payload)) queue.relay.hint(hint);
  await queue.close();
}
