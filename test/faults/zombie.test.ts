import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel, withServers } from '../support/definitions.js';
import { gate } from '../support/gate.js';
import { endOf } from '../support/runs.js';
import type { ServerProcess } from '../support/server-process.js';
import { type Stack, startStack } from '../support/stack.js';
import { openRefund, playPerson } from './refund.js';

describe('a worker', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ env: { WORKER_LEASE_SECONDS: '1' }, workers: 0 });
  });
  afterAll(() => stack.stop());

  test('that stood still for three leases changes nothing when it goes on: its tool and its model answer in vain', () =>
    withServers(async ({ tools, model }) => {
      const zombie = await stack.startWorker();
      const { api } = await createTenant({}, stack);
      await api.expect(200, api.put('/v1/policy', { rules: [{ tool: '*', action: 'allow' }] }));
      const reconcile = { url: tools.urlOf('send', 'reconcile') };
      await createTool(api, tools, { name: 'send', effect: 'once', reconcile });
      await createAgent(api, { model: testModel(model), tools: ['send'] });
      const [inTool, inModel, answers] = [gate(), gate(), gate()];
      let held = 0;
      tools.on('send', async (request) => {
        tools.apply(request, 'sent');
        inTool.open();
        await answers.opened;
        return { status: 200, body: 'sent' };
      });
      model.play(async ({ body }) => {
        const asked = body.messages.find((message) => message.role === 'user')?.content;
        if (asked === 'think') {
          held += 1;
          if (held > 1) return { text: 'The second thought.' };
          inModel.open();
          await answers.opened;
          return { text: 'The first thought.' };
        }
        const told = body.messages.some((message) => message.role === 'tool');
        return told ? { text: 'Sent.' } : { calls: [{ id: 'call_1', tool: 'send', arguments: {} }] };
      });
      const [sends, thinks] = [
        await startRun(api, { input: 'send' }),
        await startRun(api, { input: 'think' }),
      ];
      await Promise.all([inTool.opened, inModel.opened]);
      zombie.signal('SIGSTOP');
      const other = await stack.startWorker();
      const ends = [await endOf(api, sends.id, 'completed'), await endOf(api, thinks.id, 'completed')];
      expect(ends.map((run) => run.output)).toEqual(['Sent.', 'The second thought.']);
      const before = await Promise.all(ends.map(({ id }) => api.events(id)));

      answers.open();
      zombie.signal('SIGCONT');
      for (const { id } of ends) await logged(zombie, id);
      await stopped(zombie);
      expect(await Promise.all(ends.map(({ id }) => api.events(id)))).toEqual(before);
      expect([...tools.effects.values()]).toEqual([1]);
      expect(tools.calls('send')).toHaveLength(1);
      await other.kill();
    }));

  test.each([
    ['fast', 600_000],
    ['slow', -600_000],
  ])(
    'whose clock is ten minutes %s signs, times and ends a run by the clock of Postgres',
    async (_way, off) => {
      const worker = await stack.startWorker({
        NODE_OPTIONS: `--require ${path.join(__dirname, 'shift-clock.cjs')}`,
        COUNTERSIGN_CLOCK_OFF_MS: String(off),
      });
      const world = await openRefund(stack, 'known');
      try {
        const from = await databaseTime(stack);
        const limits = { approvalTtlSeconds: 60, deadlineSeconds: 60, maxAgeSeconds: 120 };
        const { id } = await world.start('Refund order 1.', { agent: 'played', limits });
        expect(await playPerson(world, id)).toMatchObject({ refunds: 1, run: { status: 'completed' } });
        const until = await databaseTime(stack);
        const times = (await world.api.events(id)).map((event) => Date.parse(event.at));
        expect(Math.min(...times)).toBeGreaterThanOrEqual(from - 1_000);
        expect(Math.max(...times)).toBeLessThanOrEqual(until + 1_000);
        expect(new Set(world.tools.requests.map((request) => request.signature))).toEqual(new Set(['valid']));
      } finally {
        await Promise.all([world.close(), worker.kill()]);
      }
    },
  );
});

/** Its last word on a run that it has lost. */
async function logged(worker: ServerProcess, runId: string): Promise<void> {
  const lost = (line: string) => line.includes(runId) && /no longer ours|lost to another|in time/.test(line);
  while (!readFileSync(worker.logFile, 'utf8').split('\n').some(lost)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function stopped(worker: ServerProcess): Promise<void> {
  expect(await worker.stop()).toBe(0);
}

async function databaseTime({ database }: Stack): Promise<number> {
  const [row] = await database.query<{ now: string }>('SELECT milliseconds(clock_timestamp()) AS now');
  return Number(row?.now);
}
