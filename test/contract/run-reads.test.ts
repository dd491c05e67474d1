import { gate } from '../support/gate.js';
import { toolCallsOf } from '../support/runs.js';
import type { Page, RunView } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

const UNKNOWN_RUN = 'run_00000000000000000000000000';

describe('looking at runs', () => {
  let world: RunsWorld;
  beforeEach(async () => {
    world = await openRunsWorld({ limits: { maxTurns: 5, maxTokens: 1_000 }, budget: { perRunUsd: '0.50' } });
  });
  afterEach(() => world.close());

  /** A model that answers only when the gate opens. */
  const heldModel = () => {
    const held = gate();
    world.model.play(async () => {
      await held.opened;
      return { text: 'Done.' };
    });
    return held;
  };

  test('a list is filtered, newest first, and stable from page to page', async () => {
    const held = heldModel();
    const ids: string[] = [];
    for (const number of [1, 2, 3, 4, 5]) {
      ids.unshift((await world.start({ subject: { id: 'list' }, operationId: `op-${number % 2}` })).id);
    }
    const first = await world.api.get<Page<RunView>>('/v1/runs?subject=list&limit=2');
    const late = await world.start({ subject: { id: 'list' } });
    const rest = await world.api.all<RunView>(
      `/v1/runs?subject=list&after=${encodeURIComponent(first.body.nextCursor ?? '')}`,
    );
    expect([...first.body.data, ...rest].map(({ id }) => id)).toEqual(ids);
    const one = await world.api.get<Page<RunView>>('/v1/runs?subject=list&operationId=op-1');
    expect(one.body.data.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[4]]);
    const byPart = await world.api.get<Page<RunView>>('/v1/runs?subject=list&q=P-1');
    expect(byPart.body.data.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[4]]);
    const byId = await world.api.get<Page<RunView>>(`/v1/runs?q=${late.id}`);
    expect(byId.body.data.map(({ id }) => id)).toEqual([late.id]);
    held.open();
  });

  test('a filter by time, agent or status holds', async () => {
    world.model.play([{ text: 'a word to FIND again' }]);
    const { id, createdAt } = await world.start({ subject: { id: 'times' } });
    await world.api.waitFor(id, ({ status }) => status === 'completed');
    const listed = async (query: string) =>
      (await world.api.get<Page<RunView>>(`/v1/runs?subject=times&${query}`)).body.data.length;
    expect(await listed('status=completed&agent=agent&q=find%20AGAIN')).toBe(1);
    expect(await listed('status=failed')).toBe(0);
    expect(await listed(`from=${encodeURIComponent(createdAt)}`)).toBe(1);
    expect(await listed(`to=${encodeURIComponent(createdAt)}`)).toBe(0);
  });

  test('an id that is malformed or of another tenant filters to nothing', async () => {
    const { id } = await world.start();
    const stranger = await world.stranger();
    for (const query of [`q=${id}`, `operationId=${id}`, 'threadId=nonsense']) {
      const answer = await stranger.get<Page<RunView>>(`/v1/runs?${query}`);
      expect(answer.body).toEqual({ data: [], nextCursor: null });
    }
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['after=nonsense', 'after'],
    ['status=sleeping', 'status'],
    ['from=yesterday', 'from'],
    ['q=%00', 'q'],
    ['colour=red', 'colour'],
  ])('refuses the query %s', async (query, path) => {
    expectInvalid(await world.api.get(`/v1/runs?${query}`), path);
  });

  test.each([
    ['GET', ''],
    ['GET', '?wait=1'],
    ['POST', '/cancel'],
    ['GET', '/messages'],
    ['GET', '/tool-calls'],
    ['GET', '/events'],
    ['GET', '/trace'],
    ['GET', '/model-calls'],
  ])('%s of another tenant’s run, an unknown or a malformed one is 404: %s', async (method, path) => {
    const { id } = await world.start();
    const stranger = await world.stranger();
    expectProblem(await stranger.send(method, `/v1/runs/${id}${path}`, undefined), 404, 'not_found');
    for (const other of [UNKNOWN_RUN, 'nonsense', '%00', 'run_%F0%9F%98%80']) {
      expectProblem(await world.api.send(method, `/v1/runs/${other}${path}`, undefined), 404, 'not_found');
    }
  });

  test('a tool call says what was asked, checked, run and answered', async () => {
    world.model.play([
      {
        calls: [
          { id: 'call_a', tool: 'look', arguments: { order: 1 } },
          { id: 'call_b', tool: 'nothing', arguments: 'not json' },
        ],
      },
      { text: 'Done.' },
    ]);
    const { id } = await world.start();
    await world.api.waitFor(id, ({ status }) => status === 'completed');
    const [looked, unknown] = await toolCallsOf(world.api, id);
    expect(looked).toEqual({
      id: expect.stringMatching(/^tcl_[0-9a-z]{26}$/),
      turn: 1,
      index: 0,
      tool: 'look',
      toolVersion: 1,
      effect: 'read',
      arguments: { order: 1 },
      argumentsDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      checks: {
        registered: 'passed',
        arguments: 'passed',
        scope: 'passed',
        policy: 'passed',
        credential: 'passed',
      },
      status: 'succeeded',
      result: { status: 'shipped' },
      replayOf: null,
      ids: {
        provider: 'openai-compatible',
        api: 'chat',
        responseId: expect.any(String),
        callId: 'call_a',
        operationId: id,
        idempotencyKey: expect.stringMatching(/^eff_/),
        approvalId: null,
      },
      revisions: {
        adapter: expect.any(String),
        sdk: expect.any(String),
        handler: expect.any(String),
        policy: expect.any(String),
      },
      requestDigest: expect.stringMatching(/^sha256:/),
      resultDigest: expect.stringMatching(/^sha256:/),
      bindingDigest: expect.stringMatching(/^sha256:/),
      attempts: 1,
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    });
    expect(unknown).toMatchObject({
      status: 'denied',
      toolVersion: null,
      effect: null,
      arguments: 'not json',
      error: { code: expect.any(String), message: expect.any(String) },
      checks: { registered: 'stopped', arguments: 'not_reached', policy: 'not_reached' },
    });
    expect(unknown).not.toHaveProperty('result');
  });

  test('messages and tool calls come page by page, oldest first', async () => {
    world.model.play([
      { calls: [1, 2, 3].map((order) => ({ tool: 'look', arguments: { order } })) },
      { text: 'Done.' },
    ]);
    const { id } = await world.start();
    await world.api.waitFor(id, ({ status }) => status === 'completed');
    const inOne = await world.api.get<Page<{ id: string }>>(`/v1/runs/${id}/messages`);
    expect(inOne.body.data).toHaveLength(6);
    for (const list of ['messages', 'tool-calls']) {
      const whole = await world.api.get<Page<{ id: string }>>(`/v1/runs/${id}/${list}`);
      const pages: string[] = [];
      let after = '';
      do {
        const page = await world.api.get<Page<{ id: string }>>(`/v1/runs/${id}/${list}?limit=2${after}`);
        pages.push(...page.body.data.map((row) => row.id));
        after = page.body.nextCursor === null ? '' : `&after=${encodeURIComponent(page.body.nextCursor)}`;
      } while (after !== '');
      expect(pages).toEqual(whole.body.data.map((row) => row.id));
    }
  });

  test('a trace shows waiting for a worker, models, tools and people', async () => {
    const run = await world.startPayment({ subject: { id: 'trace' } });
    const trace = await world.api.get<{ spans: { kind: string; name: string; status: string }[] }>(
      `/v1/runs/${run.id}/trace`,
    );
    expect(trace.body.spans.map(({ kind, name, status }) => [kind, name, status])).toEqual([
      ['queue_wait', 'queue', 'ended'],
      ['model_call', 'test-model', 'tool_calls'],
      ['approval_wait', 'pay', 'open'],
    ]);
  });

  test('a key without the scope is told which one it lacks', async () => {
    const { apiKey } = await world.api.expect(
      201,
      world.api.post<{ apiKey: string }>('/v1/keys', { name: 'reader', scopes: ['runs:read'] }),
    );
    const reader = world.api.withKey(apiKey);
    expect((await reader.get('/v1/runs')).status).toBe(200);
    expectProblem(await reader.post('/v1/runs', { agent: 'agent', input: 'Hi' }), 403, 'missing_scope');
    expectProblem(await reader.get('/v1/approvals'), 403, 'missing_scope');
    expectProblem(await reader.get('/v1/outcomes'), 403, 'missing_scope');
  });
});
