import { createAgent, testModel } from '../support/definitions.js';
import { gate } from '../support/gate.js';
import { approve, endOf } from '../support/runs.js';
import { withStack } from '../support/stack.js';
import type { Page, RunView } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, PAYMENT, type RunsWorld } from './runs-world.js';

interface ThreadView {
  readonly id: string;
  readonly subject: { readonly id: string };
  readonly createdAt: string;
}

const SUBJECT = { id: 'customer-1', tier: 'gold' };

test('a lost worker: the next one sends the same conversation, and a cancelled run frees its thread', async () => {
  await withStack({ env: { WORKER_LEASE_SECONDS: '1' } }, async (stack) => {
    const world = await openRunsWorld({}, stack);
    const { api, model } = world;
    const { id: threadId } = await api.expect(201, api.post<ThreadView>('/v1/threads', { subject: SUBJECT }));
    const start = (input: string) =>
      api.expect(202, api.post<RunView>('/v1/runs', { agent: 'agent', input, threadId }));
    let asked = gate();
    const hang = new Promise<never>(() => {});
    model.play(async (_request, index) => {
      if (index === 0) return { text: 'One.' };
      asked.open();
      return index === 2 || index === 4 ? { text: `Reply ${index}.` } : hang;
    });
    await endOf(api, (await start('First')).id, 'completed');

    const second = await start('Second');
    await asked.opened;
    await stack.workers[0]?.kill();
    await stack.startWorker();
    await endOf(api, second.id, 'completed');
    expect(model.requests[2]?.body.messages).toEqual(model.requests[1]?.body.messages);

    asked = gate();
    const third = await start('Third');
    const fourth = await start('Fourth');
    await asked.opened;
    await stack.workers[1]?.kill();
    await api.expect(202, api.post(`/v1/runs/${third.id}/cancel`, {}));
    await stack.startWorker();
    await endOf(api, third.id, 'cancelled');
    expect(await endOf(api, fourth.id, 'completed')).toMatchObject({ output: 'Reply 4.' });
    await world.close();
  });
});

describe('threads', () => {
  let world: RunsWorld;
  let threadId: string;
  beforeEach(async () => {
    world = await openRunsWorld();
    threadId = (await begin()).id;
  });
  afterEach(() => world.close());

  const begin = (api = world.api) =>
    api.expect(201, api.post<ThreadView>('/v1/threads', { subject: SUBJECT }));
  const post = (fields: object = {}) =>
    world.api.post<RunView>('/v1/runs', { agent: 'agent', input: 'Hi', threadId, ...fields });
  const start = (fields: object = {}) => world.api.expect(202, post(fields));
  /** What the model was sent with this request: roles and words, the instructions left out. */
  const said = (request: number) =>
    world.model.requests[request]?.body.messages
      .filter(({ role }) => role !== 'system' && role !== 'developer')
      .map(({ role, content, tool_calls: calls }) => [
        role,
        calls === undefined ? content : calls.map(({ id }) => id),
      ]);

  test('begin with a subject, and are read by their tenant alone', async () => {
    const thread = await begin();
    expect(thread).toEqual({
      id: expect.stringMatching(/^thr_[0-9a-z]{26}$/),
      subject: SUBJECT,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect((await world.api.get(`/v1/threads/${thread.id}`)).body).toEqual(thread);
    const stranger = await world.stranger();
    expectProblem(await stranger.get(`/v1/threads/${thread.id}`), 404, 'not_found');
    expectProblem(await world.api.get('/v1/threads/nonsense'), 404, 'not_found');
    await createAgent(stranger, { model: testModel(world.model), tools: [] });
    expectInvalid(await stranger.post('/v1/runs', { agent: 'agent', input: 'Hi', threadId }), '/threadId');
  });

  test.each([
    ['no subject', {}, '/subject'],
    ['a subject without id', { subject: { tier: 'gold' } }, '/subject/id'],
    ['an unknown field', { subject: SUBJECT, colour: 'red' }, '/colour'],
  ])('refuse %s', async (_name, body, path) => {
    expectInvalid(await world.api.post('/v1/threads', body), path);
  });

  test('are begun once for one Idempotency-Key', async () => {
    const once = () => world.api.post('/v1/threads', { subject: SUBJECT }, { 'idempotency-key': 'one' });
    const [first, second] = [await once(), await once()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('have one subject: a run takes it over, and another subject is refused', async () => {
    world.model.play([{ text: 'One.' }, { text: 'Two.' }]);
    const taken = await start();
    expect(taken).toMatchObject({ threadId, subject: SUBJECT });
    expectProblem(await post({ subject: { id: 'customer-2' } }), 422, 'subject_mismatch');
    expect(await start({ subject: { id: 'customer-1' } })).toMatchObject({ subject: { id: 'customer-1' } });
  });

  test('are named where onBusy is, and must exist', async () => {
    expectInvalid(
      await world.api.post('/v1/runs', { agent: 'agent', input: 'Hi', onBusy: 'queue' }),
      '/onBusy',
    );
    expectInvalid(await post({ threadId: 'thr_1' }), '/threadId');
  });

  test('a run is sent what was said before, calls and results included, and adds its own', async () => {
    world.model.play([
      { calls: [{ id: 'call_x', tool: 'look', arguments: { order: 7 } }] },
      { text: 'Shipped.' },
      { calls: [{ id: 'call_x', tool: 'look', arguments: { order: 8 } }] },
      { text: 'Shipped as well.' },
    ]);
    const first = await start({ input: 'Where is 7?' });
    await endOf(world.api, first.id, 'completed');
    const second = await start({ input: 'And 8?' });
    const ended = await endOf(world.api, second.id, 'completed');
    expect(ended).toMatchObject({ output: 'Shipped as well.', usage: { messages: 4 } });
    const before = [
      ['user', 'Where is 7?'],
      ['assistant', ['call_x']],
      ['tool', expect.stringContaining('shipped')],
      ['assistant', 'Shipped.'],
    ];
    expect(said(2)).toEqual([...before, ['user', 'And 8?']]);
    // The provider's id was used in the thread before: this call goes by ours.
    const [, , , , , again] = said(3) ?? [];
    expect(again).toEqual(['assistant', [expect.stringMatching(/^tcl_/)]]);
    const { body } = await world.api.get<{ spans: { received: { messages: number } | null }[] }>(
      `/v1/runs/${second.id}/trace`,
    );
    expect(body.spans.flatMap(({ received }) => received?.messages ?? [])).toEqual([5, 7]);
  });

  test('have one run at a time: the next one is begun when the one before has ended', async () => {
    const held = gate();
    world.model.play(async (_request, index) => {
      if (index === 0) await held.opened;
      return { text: `Reply ${index}.` };
    });
    const first = await start({ input: 'First' });
    const second = await start({ input: 'Second' });
    const third = await start({ input: 'Third' });
    expectProblem(await post({ onBusy: 'reject' }), 409, 'thread_busy');
    expect((await world.api.get<RunView>(`/v1/runs/${second.id}`)).body.status).toBe('queued');
    held.open();
    await endOf(world.api, third.id, 'completed');
    expect(said(2)).toEqual([
      ['user', 'First'],
      ['assistant', 'Reply 0.'],
      ['user', 'Second'],
      ['assistant', 'Reply 1.'],
      ['user', 'Third'],
    ]);
    const { body } = await world.api.get<Page<RunView>>(`/v1/runs?threadId=${threadId}`);
    expect(body.data.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
  });

  test('cancel_previous waits for an effect in doubt, and its turn is not told as done', async () => {
    const answered = gate();
    world.tools.on('pay', (request) => {
      world.tools.apply(request, { paid: true });
      answered.open();
      return { hang: new Promise(() => {}) };
    });
    const { id } = await world.startPayment({ threadId });
    await approve(world.api, id);
    await answered.opened;
    const next = await start({ input: 'Stop. What now?', onBusy: 'cancel_previous' });
    const asking = await world.api.waitFor(id, (run) => (run.waitingOn?.outcomes.length ?? 0) > 0);
    expect((await world.api.get<RunView>(`/v1/runs/${next.id}`)).body.status).toBe('queued');
    const [toolCallId] = asking.waitingOn?.outcomes ?? [];
    world.model.play([{ text: 'It was paid.' }]);
    await world.api.expect(
      200,
      world.api.post(`/v1/runs/${id}/tool-calls/${toolCallId}/outcome`, { happened: true, output: PAYMENT }),
    );
    await endOf(world.api, id, 'cancelled');
    await endOf(world.api, next.id, 'completed');
    expect(said(world.model.requests.length - 1)).toMatchObject([
      ['user', expect.any(String)],
      ['assistant', [expect.any(String)]],
      ['tool', expect.stringContaining('12.50')],
      ['user', 'Stop. What now?'],
    ]);
  });

  test('cancel_previous ends a run that waits for a signature, and says that nothing ran', async () => {
    const { id } = await world.startPayment({ threadId });
    world.model.play([{ text: 'Very well.' }]);
    const next = await start({ input: 'Never mind.', onBusy: 'cancel_previous' });
    await endOf(world.api, id, 'cancelled');
    await endOf(world.api, next.id, 'completed');
    expect(said(world.model.requests.length - 1)?.map(([role]) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ]);
    expect(world.tools.requests.filter(({ tool }) => tool === 'pay')).toEqual([]);
  });
});
