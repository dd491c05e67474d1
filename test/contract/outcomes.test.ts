import { approve, callOf, resultsOf } from '../support/runs.js';
import type { Page, RunView } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, PAYMENT, type RunsWorld } from './runs-world.js';

interface OutcomeCard {
  readonly runId: string;
  readonly toolCallId: string;
}

describe('outcomes', () => {
  let world: RunsWorld;
  afterEach(() => world.close());

  /** A run that waits for somebody to say whether the payment happened: the answer never came. */
  const inDoubt = async (agent: object = {}): Promise<RunView> => {
    world = await openRunsWorld({ ...agent });
    world.tools.on('pay', (request) => {
      world.tools.apply(request, { paid: true });
      return { hang: new Promise(() => {}) };
    });
    const { id } = await world.startPayment();
    await approve(world.api, id);
    return world.api.waitFor(id, (run) => (run.waitingOn?.outcomes.length ?? 0) > 0);
  };
  const settle = (run: RunView, toolCallId: string | undefined, body: object, api = world.api) =>
    api.post(`/v1/runs/${run.id}/tool-calls/${toolCallId}/outcome`, body);
  const cards = async () => (await world.api.get<Page<OutcomeCard>>('/v1/outcomes?status=pending')).body.data;

  test('what is in doubt is listed with what was sent', async () => {
    const run = await inDoubt();
    const { ids, argumentsDigest } = await callOf(world.api, run.id, 'pay');
    expect(await cards()).toEqual([
      {
        runId: run.id,
        toolCallId: run.waitingOn?.outcomes[0],
        tool: 'pay',
        arguments: PAYMENT,
        argumentsDigest,
        effect: 'once',
        idempotencyKey: ids.idempotencyKey,
        status: 'pending',
        detail: expect.any(String),
        subject: null,
        tries: 1,
        startedAt: expect.any(String),
      },
    ]);
    expectInvalid(await world.api.get('/v1/outcomes?status=lost'), 'status');
  });

  test('it happened: the run goes on with what the person says, and nothing is sent again', async () => {
    const run = await inDoubt();
    const answer = await settle(run, run.waitingOn?.outcomes[0], {
      happened: true,
      output: { paid: 'by hand' },
      message: 'Seen in the bank statement.',
    });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status: 'succeeded', result: { paid: 'by hand' } },
    ]);
    await world.api.waitFor(run.id, ({ status }) => status === 'completed');
    expect((await resultsOf(world.api, run.id)).join()).toContain('Seen in the bank statement.');
    // How long a person took to answer is nothing that the tool took.
    expect((await world.api.get('/v1/metrics/latency')).body).toMatchObject({ tool: { count: 0 } });
    expect(world.tools.calls('pay')).toHaveLength(1);
    expect(await cards()).toEqual([]);
  });

  test('it did not happen: one more try with the same key', async () => {
    const run = await inDoubt();
    world.tools.on('pay', (request) => {
      world.tools.apply(request, { paid: true });
      return { status: 200, body: { paid: true } };
    });
    const answer = await settle(run, run.waitingOn?.outcomes[0], { happened: false });
    expect(answer.status).toBe(200);
    await world.api.waitFor(run.id, ({ status }) => status === 'completed');
    const keys = world.tools.calls('pay').map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test('sent a second time and in doubt again, it says so; a second no ends the call', async () => {
    const run = await inDoubt();
    const toolCallId = run.waitingOn?.outcomes[0];
    await world.api.expect(200, settle(run, toolCallId, { happened: false }));
    const again = await world.api.waitFor(run.id, ({ waitingOn }) => (waitingOn?.outcomes.length ?? 0) > 0);
    expect(await cards()).toMatchObject([{ toolCallId, tries: 2 }]);
    const answer = await settle(again, toolCallId, { happened: false });
    expect(answer.body).toMatchObject({ status: 'failed' });
    await world.api.waitFor(run.id, ({ status }) => status === 'completed');
    expect(world.tools.calls('pay')).toHaveLength(2);
  });

  test('of many who settle at once exactly one is heard', async () => {
    const run = await inDoubt();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => settle(run, run.waitingOn?.outcomes[0], { happened: true })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expectProblem(refused, 409, 'outcome_not_expected');
    }
  });

  test('an answer after the run has ended still settles the intent', async () => {
    const run = await inDoubt({ limits: { approvalTtlSeconds: 2 } });
    const ended = await world.api.waitFor(run.id, ({ status }) => status === 'failed');
    expect(ended.statusReason?.code).toBe('outcome_unknown');
    const [card] = await cards();
    expect(card?.runId).toBe(run.id);
    expect((await settle(run, card?.toolCallId, { happened: true })).status).toBe(200);
    expect(await cards()).toEqual([]);
    const after = await world.api.get<RunView>(`/v1/runs/${run.id}`);
    expect(after.body).toMatchObject({ status: 'failed', statusReason: { code: 'outcome_unknown' } });
    world.model.play([{ calls: [{ tool: 'pay', arguments: PAYMENT }] }, { text: 'Done.' }]);
    const again = await world.start();
    await world.api.waitFor(again.id, ({ status }) => status === 'completed');
    expect(await callOf(world.api, again.id, 'pay')).toMatchObject({
      status: 'succeeded',
      replayOf: card?.toolCallId,
    });
  });

  test('what is not in doubt takes no outcome', async () => {
    world = await openRunsWorld();
    const run = await world.startPayment();
    const { id } = await callOf(world.api, run.id, 'pay');
    expectProblem(await settle(run, id, { happened: true }), 409, 'outcome_not_expected');
  });

  test.each([
    ['nothing', {}, '/happened'],
    ['a word', { happened: 'yes' }, '/happened'],
    ['an output of what did not happen', { happened: false, output: 1 }, '/output'],
    ['a field of its own', { happened: true, colour: 'red' }, '/colour'],
  ])('refuses %s', async (_name, body, path) => {
    world = await openRunsWorld();
    const run = await world.startPayment();
    const { id } = await callOf(world.api, run.id, 'pay');
    expectInvalid(await settle(run, id, body), path);
  });

  test('calls of another tenant, of another run, unknown or malformed ones are 404', async () => {
    const run = await inDoubt();
    const toolCallId = run.waitingOn?.outcomes[0];
    const stranger = await world.stranger();
    const body = { happened: true };
    expectProblem(await settle(run, toolCallId, body, stranger), 404, 'not_found');
    const other = await world.start();
    expectProblem(await settle(other, toolCallId, body), 404, 'not_found');
    for (const id of [`tcl_${'0'.repeat(26)}`, 'nonsense', '%00']) {
      expectProblem(await settle(run, id, body), 404, 'not_found');
    }
    expect(await cards()).toHaveLength(1);
    expect((await stranger.get<Page<OutcomeCard>>('/v1/outcomes')).body.data).toEqual([]);
  });
});
