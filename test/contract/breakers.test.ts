import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import { gate } from '../support/gate.js';
import { signedInMember } from '../support/people.js';
import { approve, resultsOf, toolCallsOf } from '../support/runs.js';
import { sharedStack } from '../support/stack.js';
import type { Page } from '../support/wire.js';
import { openRunsWorld, PAYMENT, type RunsWorld } from './runs-world.js';

interface BreakerView {
  readonly id: string;
  readonly kind: string;
  readonly about: object;
  readonly owner: string;
  readonly state: string;
  readonly failures: number | null;
  readonly lastError: string | null;
  readonly openedAt: string | null;
  readonly retryAt: string | null;
}

let world: RunsWorld;
beforeEach(async () => {
  world = await openRunsWorld();
});
afterEach(() => world.close());

const listOf = async (api: Api) => (await api.expect(200, api.get<Page<BreakerView>>('/v1/breakers'))).data;

/** One run with one call of `tool`; gives what the model read of it. */
async function callOnce(tool: string, args: Record<string, unknown> = {}): Promise<string> {
  world.model.play([{ calls: [{ tool, arguments: args }] }, { text: 'Done.' }]);
  const { id } = await world.start();
  await world.api.waitFor(id, (run) => run.status === 'completed');
  return (await resultsOf(world.api, id)).at(-1) ?? '';
}

/** `look` fails five times running, each in a run of its own. */
async function openLook(): Promise<BreakerView> {
  await createTool(world.api, world.tools, { name: 'shaky', effect: 'read', retries: 0 });
  await world.api.expect(
    200,
    world.api.put('/v1/agents/agent', {
      instructions: 'Do what you are asked.',
      model: testModel(world.model),
      tools: ['look', 'pay', 'shaky'],
    }),
  );
  world.tools.on('shaky', () => ({ status: 500 }));
  for (let failure = 0; failure < 5; failure += 1) await callOnce('shaky');
  const [breaker] = await listOf(world.api);
  if (breaker === undefined) throw new Error('no breaker is listed');
  return breaker;
}

function comeDue(breaker: BreakerView): Promise<unknown> {
  const { database } = sharedStack();
  return database.query('UPDATE breakers SET retry_at = clock_timestamp() WHERE tenant_id = $1 AND id = $2', [
    world.tenantId,
    breaker.id,
  ]);
}

describe('the breaker of a tool', () => {
  test('opens after five failures in runs of its tenant: no run calls it, and the model is told', async () => {
    const breaker = await openLook();
    expect(breaker).toEqual({
      id: expect.stringMatching(/^brk_[0-9a-z]{26}$/) as unknown,
      kind: 'tool',
      about: { tool: 'shaky' },
      owner: 'tenant',
      state: 'open',
      failures: 5,
      lastError: 'tool_unavailable',
      openedAt: expect.any(String) as unknown,
      retryAt: expect.any(String) as unknown,
    });
    expect(Date.parse(breaker.retryAt ?? '')).toBeGreaterThan(Date.parse(breaker.openedAt ?? ''));
    const asked = world.tools.calls('shaky').length;
    expect(await callOnce('shaky')).toMatch(/^"shaky" kept failing, so it is not called for the time being/);
    expect(world.tools.calls('shaky')).toHaveLength(asked);
    expect(await callOnce('look')).toBe('{"status":"shipped"}');
  });

  test('denies the call with a code of its own, and the check that stopped it', async () => {
    await openLook();
    world.model.play([{ calls: [{ tool: 'shaky', arguments: {} }] }, { text: 'Done.' }]);
    const { id } = await world.start();
    await world.api.waitFor(id, (run) => run.status === 'completed');
    expect(await toolCallsOf(world.api, id)).toMatchObject([
      { status: 'denied', error: { code: 'breaker_open' }, checks: { registered: 'stopped' }, attempts: 0 },
    ]);
  });

  test('lets one probe through when its time has come: a failure keeps it open for longer, a success closes it', async () => {
    const breaker = await openLook();
    await comeDue(breaker);
    expect(await listOf(world.api)).toMatchObject([{ state: 'half_open' }]);
    await callOnce('shaky');
    const [again] = await listOf(world.api);
    expect(again).toMatchObject({ state: 'open', failures: 6 });
    const longer = Date.parse(again?.retryAt ?? '') - Date.now();
    expect(longer).toBeGreaterThan(36_000);
    world.tools.on('shaky', () => ({ status: 200, body: 'well again' }));
    await comeDue(breaker);
    expect(await callOnce('shaky')).toBe('well again');
    expect(await listOf(world.api)).toEqual([]);
    expect(await callOnce('shaky')).toBe('well again');
  });

  test('asks a tool that is in trouble once, not as often as its retries say', async () => {
    const breaker = await openLook();
    const retried = { description: 'x', parameters: { type: 'object' }, effect: 'read', retries: 2 };
    const executor = { type: 'http', url: world.tools.urlOf('shaky') };
    await world.api.expect(200, world.api.put('/v1/tools/shaky', { ...retried, executor }));
    await comeDue(breaker);
    const asked = world.tools.calls('shaky').length;
    await callOnce('shaky');
    expect(world.tools.calls('shaky')).toHaveLength(asked + 1);
  });

  test('lets one of many runs through at the same time', async () => {
    const breaker = await openLook();
    const [probed, answer] = [gate(), gate()];
    world.tools.on('shaky', async () => {
      probed.open();
      await answer.opened;
      return { status: 200, body: 'well again' };
    });
    await comeDue(breaker);
    const asked = world.tools.calls('shaky').length;
    world.model.play(({ body }) =>
      body.messages.some(({ role }) => role === 'tool')
        ? { text: 'Done.' }
        : { calls: [{ tool: 'shaky', arguments: {} }] },
    );
    const runs = await Promise.all(Array.from({ length: 5 }, () => world.start()));
    const ended = runs.map(({ id }) => world.api.waitFor(id, (run) => run.status === 'completed'));
    // Four end while the fifth, the probe, still waits for its tool.
    const four = ended.map((_, probe) => Promise.all(ended.filter((_run, index) => index !== probe)));
    await Promise.all([probed.opened, Promise.any(four)]);
    expect(world.tools.calls('shaky')).toHaveLength(asked + 1);
    answer.open();
    await Promise.all(ended);
    const results = await Promise.all(runs.map(async ({ id }) => (await resultsOf(world.api, id)).at(-1)));
    expect(results.filter((result) => result === 'well again')).toHaveLength(1);
    expect(world.tools.calls('shaky')).toHaveLength(asked + 1);
  });

  test('counts what is in doubt, and denies an approved call at execution: the grant is given back', async () => {
    world.tools.on('pay', () => ({ status: 500 }));
    const waiting = await world.startPayment();
    for (let order = 100; order < 105; order += 1) {
      world.model.play([{ calls: [{ tool: 'pay', arguments: { ...PAYMENT, order } }] }]);
      const { id } = await world.start();
      await approve(world.api, id);
      await world.api.waitFor(id, (run) => (run.waitingOn?.outcomes.length ?? 0) > 0);
    }
    expect(await listOf(world.api)).toMatchObject([
      { about: { tool: 'pay' }, state: 'open', lastError: 'outcome_unknown' },
    ]);
    const asked = world.tools.calls('pay').length;
    world.model.play([{ text: 'I could not pay.' }]);
    const approval = await approve(world.api, waiting.id);
    await world.api.waitFor(waiting.id, (run) => run.status === 'completed');
    expect(world.tools.calls('pay')).toHaveLength(asked);
    expect(await toolCallsOf(world.api, waiting.id)).toMatchObject([
      { status: 'denied', error: { code: 'breaker_open' } },
    ]);
    const { body } = await world.api.get(`/v1/approvals/${approval.id}`);
    expect(body).toMatchObject({ status: 'cancelled' });
  });

  test('is not moved by what the tool says of the call', async () => {
    world.tools.on('look', () => ({ status: 404, body: { detail: 'no such order' } }));
    for (let order = 0; order < 6; order += 1) await callOnce('look', { order });
    expect(await listOf(world.api)).toEqual([]);
  });

  test('of one tenant is no other\u2019s business', async () => {
    const breaker = await openLook();
    const stranger = await world.stranger();
    await createTool(stranger, world.tools, { name: 'shaky', effect: 'read', retries: 0 });
    await createAgent(stranger, { model: testModel(world.model), tools: ['shaky'] });
    world.tools.on('shaky', () => ({ status: 200, body: 'fine' }));
    world.model.play([{ calls: [{ tool: 'shaky', arguments: {} }] }, { text: 'Done.' }]);
    const { id } = await startRun(stranger);
    await stranger.waitFor(id, (run) => run.status === 'completed');
    expect(await resultsOf(stranger, id)).toEqual(['fine']);
    expect(await listOf(stranger)).toEqual([]);
    const reset = await stranger.glance('POST', `/v1/breakers/${breaker.id}/reset`, undefined);
    expect(reset).toEqual({ status: 404, code: 'not_found' });
    expect(await listOf(world.api)).toMatchObject([{ state: 'open' }]);
  });
});

describe('a reset', () => {
  test('closes the breaker at once', async () => {
    const breaker = await openLook();
    world.tools.on('shaky', () => ({ status: 200, body: 'well again' }));
    const reset = await world.api.post(`/v1/breakers/${breaker.id}/reset`, {});
    expect([reset.status, reset.body]).toEqual([200, { id: breaker.id, state: 'closed' }]);
    expect(await listOf(world.api)).toEqual([]);
    expect(await callOnce('shaky')).toBe('well again');
  });

  test.each([
    ['viewer', '403 missing_scope'],
    ['reviewer', '403 missing_scope'],
    ['operator', '404 not_found'],
    ['admin', '404 not_found'],
  ] as const)('by a member who is %s is answered %s where there is no such breaker', async (role, answer) => {
    const { api } = await signedInMember(world.api, role);
    const { status, code } = await api.glance('POST', '/v1/breakers/brk_nothing/reset', '{}');
    expect(`${status} ${code}`).toBe(answer);
    await api.expect(200, api.get('/v1/breakers'));
  });

  test('by a key takes the scope admin', async () => {
    const { apiKey } = await world.api.expect(
      201,
      world.api.post<{ apiKey: string }>('/v1/keys', {
        name: 'runs',
        scopes: ['runs:write', 'agents:read', 'agents:write', 'tools:write'],
      }),
    );
    const api = world.api.withKey(apiKey);
    await api.expect(200, api.get('/v1/breakers'));
    expect(await api.glance('POST', '/v1/breakers/brk_nothing/reset', '{}')).toEqual({
      status: 403,
      code: 'missing_scope',
    });
    const { api: other } = await createTenant();
    expect(await other.glance('POST', '/v1/breakers/brk_nothing/reset', '{}')).toEqual({
      status: 404,
      code: 'not_found',
    });
  });
});
