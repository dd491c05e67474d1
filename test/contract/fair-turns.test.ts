import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel, withServers } from '../support/definitions.js';
import { gate } from '../support/gate.js';
import { endOf } from '../support/runs.js';
import { withStack } from '../support/stack.js';

const MODEL_TAKES_MS = 30;

test('a long run of one tenant is handed back between two steps for another tenant’s, and then goes on', async () => {
  const env = { WORKER_LEASE_SECONDS: '1', WORKER_CONCURRENCY: '1' };
  await withStack({ env }, (stack) =>
    withServers(async ({ tools, model }) => {
      const begun = gate();
      let patientServed = false;
      model.play(async ({ body }, index) => {
        const asked = body.messages.findLast(({ role }) => role === 'user')?.content;
        if (asked === 'Quick') {
          patientServed = true;
          return { text: 'Quick.' };
        }
        begun.open();
        await new Promise((resolve) => setTimeout(resolve, MODEL_TAKES_MS));
        return patientServed
          ? { text: 'At last.' }
          : { calls: [{ tool: 'look', arguments: { order: index } }] };
      });
      tools.on('look', () => ({ status: 200, body: { status: 'shipped' } }));
      const tenant = async (): Promise<Api> => {
        const { api } = await createTenant({}, stack);
        const parameters = { type: 'object', properties: { order: { type: 'integer' } } };
        await createTool(api, tools, { name: 'look', effect: 'read', parameters });
        const limits = { maxTurns: 200, maxToolCalls: 1_000 };
        await createAgent(api, { model: testModel(model), tools: ['look'], limits });
        return api;
      };
      const [greedy, patient] = [await tenant(), await tenant()];
      const long = await startRun(greedy, { input: 'Long' });
      const next = await startRun(greedy, { input: 'Long' });
      await begun.opened;
      const quick = await startRun(patient, { input: 'Quick' });
      await endOf(patient, quick.id, 'completed');
      await Promise.all([long, next].map(({ id }) => endOf(greedy, id, 'completed')));

      const events = await greedy.events(long.id);
      const handedBack = events.find(({ type }) => type === 'run.handed_back');
      expect(handedBack?.data).toEqual({ reason: 'yielded' });
      expect(events.at(-1)).toMatchObject({ type: 'run.finished', data: { status: 'completed' } });
    }),
  );
});
