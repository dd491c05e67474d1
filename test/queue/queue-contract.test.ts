import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Hint } from '../../apps/api/src/platform/relay.js';
import { openQueue, type QueueAccess } from '../../apps/api/src/platform/wake.js';
import { gate } from '../support/gate.js';
import { type QueueBackend, redisServer, startPostgres, startRedis, untilItSays } from './backends.js';

jest.setTimeout(60_000);

/** Processes of the test that runs. */
const children: ChildProcess[] = [];

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const backends: readonly [string, boolean, () => Promise<QueueBackend>][] = [
  ['Redis', redisServer !== null, () => startRedis(redisServer ?? '')],
  ['Postgres', true, startPostgres],
];

for (const [name, isHere, start] of backends) {
  const missing = isHere ? '' : ' (skipped: there is no redis-server or valkey-server on the PATH)';
  (isHere ? describe : describe.skip)(`the queue on ${name}${missing}`, () => {
    let backend: QueueBackend;
    let queue: QueueAccess;

    beforeEach(async () => {
      backend = await start();
      queue = await openQueue(backend.environment, silent);
    });

    afterEach(async () => {
      for (const child of children.splice(0)) child.kill('SIGKILL');
      await queue.close();
      await backend.stop();
    });

    it('answers a ping', async () => {
      await expect(queue.wake.ping()).resolves.toBeUndefined();
    });

    it('starts a claim loop after a wake-up', async () => {
      const claimed = gate();
      const worker = queue.openWorker(async () => claimed.open(), 1);
      await queue.wake.runs();
      await claimed.opened;
      await worker.close();
    });

    it('starts a claim loop after every commit of a burst, in fewer jobs than commits', async () => {
      let committed = 0;
      let loops = 0;
      const caughtUp = gate();
      const worker = queue.openWorker(async () => {
        loops += 1;
        if (committed === 500) caughtUp.open();
      }, 4);
      for (let run = 0; run < 500; run += 1) {
        committed += 1;
        void queue.wake.runs();
        if (run % 50 === 0) await queue.wake.runs();
      }
      await caughtUp.opened;
      await worker.close();
      expect(loops).toBeLessThan(500);
    });

    it('wakes as many free hands as there are wake-ups', async () => {
      let running = 0;
      const allAtOnce = gate();
      const worker = queue.openWorker(async () => {
        running += 1;
        if (running === 4) allAtOnce.open();
        await allAtOnce.opened;
      }, 4);
      for (let run = 0; run < 4; run += 1) void queue.wake.runs();
      await allAtOnce.opened;
      await worker.close();
    });

    it('gives a wake-up to another worker when the first one was killed', async () => {
      const first = beside('take', backend);
      await queue.wake.runs();
      await untilItSays(first, /taken/);
      first.kill('SIGKILL');
      await once(first, 'exit');
      const claimed = gate();
      const worker = queue.openWorker(async () => claimed.open(), 1);
      await claimed.opened;
      await worker.close();
    });

    it('is no error to the producer where everything in it was lost', async () => {
      await queue.wake.runs();
      await backend.loseEverything();
      await expect(queue.wake.runs()).resolves.toBeUndefined();
      const claimed = gate();
      const worker = queue.openWorker(async () => claimed.open(), 1);
      await claimed.opened;
      await worker.close();
    });

    it('tells other processes of a run, and only those who listen to that run of that tenant', async () => {
      const heard: Hint[] = [];
      const everything = gate();
      queue.relay.subscribe('ten_1', 'run_1', {
        onHint: (hint) => {
          heard.push(hint);
          if (hint.seq === 9) everything.open();
        },
      });
      await queue.relay.ready();
      const hints: Hint[] = [
        { tenant: 'ten_2', runId: 'run_1', seq: 7, status: 'running' },
        { tenant: 'ten_1', runId: 'run_2', seq: 8, status: 'running' },
        { tenant: 'ten_1', runId: 'run_1', seq: 9, status: 'completed' },
      ];
      await once(beside('tell', backend, hints), 'exit');
      await everything.opened;
      expect(heard).toEqual([hints[2]]);
    });

    it('tells the newest of what is known of a run, though an older hint comes after it', async () => {
      const heard: Hint[] = [];
      const told = gate();
      queue.relay.subscribeTenant('ten_1', (hint) => {
        heard.push(hint);
        if (hint.runId === 'run_2') told.open();
      });
      await queue.relay.ready();
      const [queued, ended, another]: Hint[] = [
        { tenant: 'ten_1', runId: 'run_1', seq: 1, status: 'queued' },
        { tenant: 'ten_1', runId: 'run_1', seq: 9, status: 'completed' },
        { tenant: 'ten_1', runId: 'run_2', seq: 1, status: 'queued' },
      ];
      for (const hint of [ended, queued, another]) if (hint !== undefined) queue.relay.hint(hint);
      await told.opened;
      expect(heard).toEqual([ended, another]);
    });
  });
}

function beside(role: 'take' | 'tell', backend: QueueBackend, payload: unknown = null): ChildProcess {
  const script = path.join(__dirname, 'queue-process.mjs');
  const environment = JSON.stringify(backend.environment);
  const child = spawn(process.execPath, [script, role, environment, JSON.stringify(payload)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}
