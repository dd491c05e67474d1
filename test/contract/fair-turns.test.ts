import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel, withServers } from '../support/definitions.js';
import { gate } from '../support/gate.js';
import { endOf } from '../support/runs.js';
import { type Stack, startStack } from '../support/stack.js';

type Servers = Parameters<Parameters<typeof withServers>[0]>[0];

const MODEL_TAKES_MS = 30;
// No heartbeat comes while it runs, and one hand is all there is but that for newcomers.
const ONE_HAND = { env: { WORKER_LEASE_SECONDS: '120', WORKER_CONCURRENCY: '1' } };

async function tenant(stack: Stack, { tools, model }: Servers): Promise<Api> {
  const { api } = await createTenant({}, stack);
  const parameters = { type: 'object', properties: { order: { type: 'integer' } } };
  await createTool(api, tools, { name: 'look', effect: 'read', parameters });
  const limits = { maxTurns: 200, maxToolCalls: 1_000 };
  await createAgent(api, { model: testModel(model), tools: ['look'], limits });
  return api;
}

describe('a worker of one hand', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack(ONE_HAND);
  });
  afterAll(() => stack.stop());

  test('serves a tenant with nothing running while another tenant’s run holds that hand', () =>
    withServers(async (servers) => {
      const [begun, served] = [gate(), gate()];
      servers.model.play(async ({ body }) => {
        const asked = body.messages.findLast(({ role }) => role === 'user')?.content;
        if (asked === 'Quick') return { text: 'Quick.' };
        begun.open();
        await served.opened;
        return { text: 'At last.' };
      });
      const [greedy, patient] = [await tenant(stack, servers), await tenant(stack, servers)];
      const long = await startRun(greedy, { input: 'Long' });
      await begun.opened;
      const next = await startRun(greedy, { input: 'Long' });
      const quick = await startRun(patient, { input: 'Quick' });
      await endOf(patient, quick.id, 'completed');
      expect((await greedy.get(`/v1/runs/${next.id}`)).body).toMatchObject({ status: 'queued' });
      served.open();
      await Promise.all([long, next].map(({ id }) => endOf(greedy, id, 'completed')));
    }));

  test('hands a long run back between two steps where all hands are taken, and then goes on with it', () =>
    withServers(async (servers) => {
      const begun = [gate(), gate()];
      let patientServed = false;
      servers.model.play(async ({ body }, index) => {
        const asked = body.messages.findLast(({ role }) => role === 'user')?.content;
        if (asked === 'Quick') {
          patientServed = true;
          return { text: 'Quick.' };
        }
        begun[asked === 'First' ? 0 : 1]?.open();
        await new Promise((resolve) => setTimeout(resolve, MODEL_TAKES_MS));
        return patientServed
          ? { text: 'At last.' }
          : { calls: [{ tool: 'look', arguments: { order: index } }] };
      });
      servers.tools.on('look', () => ({ status: 200, body: { status: 'shipped' } }));
      const [first, second, patient] = [
        await tenant(stack, servers),
        await tenant(stack, servers),
        await tenant(stack, servers),
      ];
      const runs = [await startRun(first, { input: 'First' }), await startRun(second, { input: 'Second' })];
      await Promise.all(begun.map(({ opened }) => opened));
      const quick = await startRun(patient, { input: 'Quick' });
      await endOf(patient, quick.id, 'completed');
      const ended = [];
      for (const [index, api] of [first, second].entries()) {
        const { id } = runs[index] as (typeof runs)[number];
        await endOf(api, id, 'completed');
        ended.push(...(await api.events(id)));
      }
      // How often depends on how long the newcomer's own turn takes.
      const handedBack = ended.filter(({ type }) => type === 'run.handed_back');
      expect(new Set(handedBack.map(({ data }) => data.reason))).toEqual(new Set(['yielded']));
    }));
});
