import { messagesOf } from '../support/runs.js';
import { sharedStack } from '../support/stack.js';
import type { RunView } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

describe('starting a run', () => {
  let world: RunsWorld;
  beforeEach(async () => {
    world = await openRunsWorld({ limits: { maxTurns: 5, maxTokens: 1_000 }, budget: { perRunUsd: '0.50' } });
  });
  afterEach(() => world.close());

  test('gives 202 and the run as the contract writes it', async () => {
    world.model.play([{ text: 'Hello.' }]);
    const run = await world.start({
      subject: { id: 'customer-1', tier: 'gold' },
      metadata: { ticket: 7 },
      limits: { maxTurns: 2 },
      budgetUsd: '0.25',
    });
    expect(run).toEqual({
      id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
      agent: { name: 'agent', version: 1 },
      threadId: null,
      operationId: run.id,
      subject: { id: 'customer-1', tier: 'gold' },
      status: 'queued',
      statusReason: null,
      waitingOn: null,
      output: null,
      usage: {
        turns: 0,
        modelCalls: 0,
        toolCalls: 0,
        toolsUsed: [],
        messages: 1,
        inputTokens: 0,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 0,
        reasoningTokens: 0,
        estimated: false,
      },
      costUsd: '0.000000',
      wasteUsd: '0.000000',
      budget: { limitUsd: '0.250000', reservedUsd: '0.000000' },
      metadata: { ticket: 7 },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      startedAt: null,
      finishedAt: null,
      deadlineAt: null,
      seq: 1,
    });
    const ended = await world.api.waitFor(run.id, ({ status }) => status === 'completed');
    expect(ended).toMatchObject({
      ...run,
      status: 'completed',
      output: 'Hello.',
      usage: { turns: 1, modelCalls: 1, messages: 2, inputTokens: 100, outputTokens: 20 },
      costUsd: '0.000360',
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      deadlineAt: null,
      seq: expect.any(Number),
    });
  });

  test('keeps every digit of subject and metadata', async () => {
    const body =
      '{"agent":"agent","input":"Hi","subject":{"id":"c","n":9007199254740993},"metadata":{"e":1e400,"d":0.10}}';
    const created = await world.api.send<RunView>('POST', '/v1/runs', body);
    expect(created.status).toBe(202);
    const found = await world.api.get<RunView>(`/v1/runs/${created.body.id}`);
    for (const { text } of [created, found]) {
      expect(text).toContain('"subject":{"id":"c","n":9007199254740993}');
      expect(text).toContain('"metadata":{"d":0.10,"e":1e400}');
    }
  });

  test('repeats its answer for the same Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'start-1' };
    const body = { agent: 'agent', input: 'Hi' };
    const first = await world.api.post<RunView>('/v1/runs', body, key);
    const second = await world.api.post<RunView>('/v1/runs', body, key);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = await world.api.post('/v1/runs', { ...body, input: 'Ho' }, key);
    expectProblem(other, 422, 'idempotency_key_reused');
  });

  test.each([
    ['no such agent', { agent: 'nobody' }, '/agent'],
    ['no such version', { version: 99 }, '/version'],
    ['an empty input', { input: '' }, '/input'],
    ['no messages', { input: [] }, '/input'],
    ['a role of its own', { input: [{ role: 'system', content: 'x' }] }, '/input/0/role'],
    ['the last word to the assistant', { input: [{ role: 'assistant', content: 'x' }] }, '/input/0/role'],
    ['a subject without id', { subject: { name: 'x' } }, '/subject/id'],
    ['metadata that is no object', { metadata: [1] }, '/metadata'],
    ['a looser limit', { limits: { maxTurns: 6 } }, '/limits/maxTurns'],
    ['a limit of tokens that is looser', { limits: { maxTokens: 1_001 } }, '/limits/maxTokens'],
    ['a looser budget', { budgetUsd: '0.51' }, '/budgetUsd'],
    ['a budget that is a number', { budgetUsd: 0.1 }, '/budgetUsd'],
    ['an unknown thread', { threadId: 'thr_1' }, '/threadId'],
    ['a word on a busy thread without one', { onBusy: 'reject' }, '/onBusy'],
    ['an unknown field', { colour: 'red' }, '/colour'],
  ])('refuses %s', async (_name, fields, path) => {
    expectInvalid(await world.api.post('/v1/runs', { agent: 'agent', input: 'Hi', ...fields }), path);
  });

  test.each([
    ['{"agent":"agent","input":"a\\u0000b"}', '/input'],
    ['{"agent":"agent","input":"a","metadata":{"x":"\\ud800"}}', '/metadata/x'],
  ])('refuses NUL and lone surrogates by their path: %s', async (body, path) => {
    expectInvalid(await world.api.send('POST', '/v1/runs', body), path);
  });

  test('takes a conversation', async () => {
    world.model.play([{ text: 'Yes.' }]);
    const { id } = await world.start({
      input: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'Are you there?' },
      ],
    });
    await world.api.waitFor(id, ({ status }) => status === 'completed');
    expect(await messagesOf(world.api, id)).toMatchObject([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Are you there?' },
      { role: 'assistant', content: 'Yes.' },
    ]);
  });

  test('ten thousand queued runs of a tenant are enough', async () => {
    const { database } = sharedStack();
    await database.query(
      `INSERT INTO runs (tenant_id, id, agent_name, agent_version, operation_id, status, seq, running_ms_left, queued_at, created_at)
       SELECT $1, 'run_' || lpad(n::text, 26, '0'), 'agent', 1, 'op', 'queued', 1, 0, now(), now()
       FROM generate_series(1, 10000) AS n`,
      [world.tenantId],
    );
    const refused = await world.api.post('/v1/runs', { agent: 'agent', input: 'Hi' });
    expectProblem(refused, 429, 'too_many_queued_runs');
    expect(refused.headers.get('retry-after')).toBe('5');
    await database.query('DELETE FROM runs WHERE tenant_id = $1', [world.tenantId]);
    await world.start();
  });
});
