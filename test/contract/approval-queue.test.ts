import { createAgent, createTool, testModel } from '../support/definitions.js';
import { approvalOf, type DecisionBody, decide, endOf } from '../support/runs.js';
import { sharedStack } from '../support/stack.js';
import type { ApprovalView, Page } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, PAYMENT, type RunsWorld } from './runs-world.js';

interface Precedents {
  readonly approved: number;
  readonly edited: number;
  readonly rejected: number;
  readonly expired: number;
  readonly recent: ApprovalView[];
}

describe('a queue of approvals', () => {
  let world: RunsWorld;
  beforeEach(async () => {
    world = await openRunsWorld();
  });
  afterEach(() => world.close());

  /** One that waits, of a subject of its own unless told, so that no intent stands in the way of another. */
  const ask = async (subject: string, body: object = {}): Promise<ApprovalView> => {
    const run = await world.startPayment({ subject: { id: subject }, ...body });
    return approvalOf(world.api, run.id);
  };
  const askWithin = (subject: string, approvalTtlSeconds: number) =>
    ask(subject, { limits: { approvalTtlSeconds } });
  /** Decides, and lets the run end, so that it takes no reply of the next one. */
  const settle = async (approval: ApprovalView, body: DecisionBody): Promise<void> => {
    await world.api.expect(200, decide(world.api, approval, body));
    await endOf(world.api, approval.runId, 'completed');
  };
  const approve = (approval: ApprovalView, body: Partial<DecisionBody> = {}) =>
    settle(approval, { decision: 'approve', ...body });
  const reject = (approval: ApprovalView) => settle(approval, { decision: 'reject', message: 'No' });

  test('what expires first comes first, page by page, while others arrive', async () => {
    const late = await askWithin('late', 9_000);
    const early = await askWithin('early', 3_000);
    const middle = await askWithin('middle', 6_000);
    const path = '/v1/approvals?status=pending&order=expiring';
    const first = await world.api.get<Page<ApprovalView>>(`${path}&limit=1`);
    expect(first.body.data.map(({ id }) => id)).toEqual([early.id]);
    await askWithin('sooner', 1_000);
    const next = await askWithin('next', 4_000);
    const after = encodeURIComponent(first.body.nextCursor ?? '');
    const second = await world.api.get<Page<ApprovalView>>(`${path}&limit=2&after=${after}`);
    const rest = await world.api.all<ApprovalView>(
      `${path}&after=${encodeURIComponent(second.body.nextCursor ?? '')}`,
    );
    expect([...second.body.data, ...rest].map(({ id }) => id)).toEqual([next.id, middle.id, late.id]);
  });

  test('those that expire in the same millisecond are neither missed nor repeated', async () => {
    const asked = [await ask('one'), await ask('two'), await ask('three')];
    await sharedStack().database.query(
      'UPDATE approvals SET expires_at = (SELECT max(expires_at) FROM approvals WHERE tenant_id = $1) WHERE tenant_id = $1',
      [world.tenantId],
    );
    const ids: string[] = [];
    let after = '';
    do {
      const page = await world.api.get<Page<ApprovalView>>(`/v1/approvals?order=expiring&limit=1${after}`);
      ids.push(...page.body.data.map(({ id }) => id));
      after = page.body.nextCursor === null ? '' : `&after=${encodeURIComponent(page.body.nextCursor)}`;
    } while (after !== '');
    expect(ids).toEqual(asked.map(({ id }) => id));
  });

  test('a cursor of one order says nothing in the other', async () => {
    await ask('one');
    await ask('two');
    for (const [order, other] of [
      ['newest', 'expiring'],
      ['expiring', 'newest'],
    ]) {
      const page = await world.api.get<Page<ApprovalView>>(`/v1/approvals?order=${order}&limit=1`);
      const after = encodeURIComponent(page.body.nextCursor ?? '');
      expectInvalid(await world.api.get(`/v1/approvals?order=${other}&after=${after}`), 'after');
    }
    expectInvalid(await world.api.get('/v1/approvals?order=oldest'), 'order');
  });

  test('a summary counts what waits, by tool and by agent, the most first', async () => {
    await createTool(world.api, world.tools, { name: 'send', effect: 'once' });
    await createAgent(world.api, { name: 'sender', model: testModel(world.model), tools: ['send'] });
    const summary = () => world.api.get('/v1/approvals/summary');
    expect((await summary()).body).toEqual({ pending: 0, outcomes: 0, tools: [], agents: [] });
    await ask('one');
    await ask('two');
    await reject(await ask('three'));
    world.model.play([{ calls: [{ tool: 'send', arguments: {} }] }]);
    await approvalOf(world.api, (await world.start({ agent: 'sender' })).id);
    expect((await summary()).body).toEqual({
      pending: 3,
      outcomes: 0,
      tools: [
        { tool: 'pay', pending: 2 },
        { tool: 'send', pending: 1 },
      ],
      agents: [
        { agent: 'agent', pending: 2 },
        { agent: 'sender', pending: 1 },
      ],
    });
    const stranger = await world.stranger();
    expect((await stranger.get('/v1/approvals/summary')).body).toMatchObject({ pending: 0 });
  });

  test('precedents are what became of the same tool for the same rule, latest first', async () => {
    const precedentsOf = (approval: ApprovalView) =>
      world.api.expect(200, world.api.get<Precedents>(`/v1/approvals/${approval.id}/precedents`));
    const approved = await ask('approved');
    await approve(approved);
    const edited = await ask('edited');
    await approve(edited, { editedArguments: { ...PAYMENT, amount: '1.00' } });
    const rejected = await ask('rejected');
    await reject(rejected);
    const expired = await askWithin('expired', 1);
    await endOf(world.api, expired.runId, 'completed');
    const cancelled = await ask('cancelled');
    await world.api.post(`/v1/runs/${cancelled.runId}/cancel`, {});
    await endOf(world.api, cancelled.runId, 'cancelled');
    await createTool(world.api, world.tools, { name: 'send', effect: 'once' });
    await createAgent(world.api, { name: 'sender', model: testModel(world.model), tools: ['send'] });
    world.model.play([{ calls: [{ tool: 'send', arguments: {} }] }]);
    const other = await approvalOf(world.api, (await world.start({ agent: 'sender' })).id);
    const asked = await ask('asked');
    const undoable = { decision: 'approve', holdSeconds: 10 } as const;
    await world.api.expect(200, decide(world.api, await ask('undoable'), undoable));

    const found = await precedentsOf(asked);
    expect(found).toMatchObject({ approved: 1, edited: 1, rejected: 1, expired: 1 });
    expect(found.recent.map(({ id, status }) => [id, status])).toEqual([
      [expired.id, 'expired'],
      [rejected.id, 'rejected'],
      [edited.id, 'approved'],
      [approved.id, 'approved'],
    ]);
    expect(found.recent[1]?.decisions).toMatchObject([{ name: 'First key', message: 'No' }]);
    expect(await precedentsOf(other)).toEqual({
      approved: 0,
      edited: 0,
      rejected: 0,
      expired: 0,
      recent: [],
    });
    expect(await precedentsOf(edited)).toMatchObject({ approved: 1, edited: 0, rejected: 0, expired: 0 });
  });

  describe('a preview of an edit', () => {
    const preview = (approval: ApprovalView, editedArguments: unknown) =>
      world.api.post<{ verdict: string; argumentsDigest: string | null; errors: { path: string }[] }>(
        `/v1/approvals/${approval.id}/preview`,
        { editedArguments },
      );
    const rule = (body: object) =>
      world.api.expect(200, world.api.put('/v1/policy', { rules: [{ tool: 'pay', ...body }] }));
    const over = (value: string) => ({ when: [{ path: '/amount', op: 'gt', value }] });

    test('what runs with this signature is allowed, under the digest that the decision will have', async () => {
      const approval = await ask('customer');
      const editedArguments = { ...PAYMENT, amount: '10.00' };
      const { body } = await preview(approval, editedArguments);
      expect(body).toEqual({
        verdict: 'allowed',
        argumentsDigest: expect.stringMatching(/^sha256:/),
        message: null,
        errors: [],
      });
      expect((await preview(approval, PAYMENT)).body.argumentsDigest).toBe(approval.argumentsDigest);
      const now = await world.api.get<ApprovalView>(`/v1/approvals/${approval.id}`);
      expect(now.body).toEqual(approval);
      await approve(approval, { editedArguments });
      const decided = await world.api.get<ApprovalView>(`/v1/approvals/${approval.id}`);
      expect(decided.body.argumentsDigest).toBe(body.argumentsDigest);
    });

    test('what is not valid here is refused with the place of each error', async () => {
      const approval = await ask('customer');
      const { body } = await preview(approval, { ...PAYMENT, amount: 12.5, order: 8 });
      expect(body).toMatchObject({ verdict: 'refused', argumentsDigest: null });
      expect(body.errors.length).toBeGreaterThan(0);
      for (const { path } of body.errors) expect(path).toMatch(/^\/editedArguments/);
      expectInvalid(await preview(approval, [1]), '/editedArguments');
    });

    test('what policy denies is refused in its words', async () => {
      const approval = await ask('customer');
      await rule({ ...over('100'), action: 'deny', reason: 'too much for a day' });
      const { body } = await preview(approval, { ...PAYMENT, amount: '100.01' });
      expect(body).toEqual({
        verdict: 'refused',
        argumentsDigest: null,
        message: 'Denied by policy: too much for a day',
        errors: [],
      });
    });

    test.each([
      ['a second signature', { approvals: 2 }],
      ['a role', { approverRole: 'admin' }],
    ])('what takes %s needs another approval', async (_name, needed) => {
      const approval = await ask('customer');
      await rule({ ...over('100'), action: 'require_approval', ...needed });
      const { body } = await preview(approval, { ...PAYMENT, amount: '100.01' });
      expect(body).toMatchObject({ verdict: 'needs_approval', errors: [], message: expect.any(String) });
    });

    test('who may only read does not preview, and nobody does once it is decided', async () => {
      const approval = await ask('customer');
      const { apiKey } = await world.api.expect(
        201,
        world.api.post<{ apiKey: string }>('/v1/keys', { name: 'reader', scopes: ['approvals:read'] }),
      );
      const body = { editedArguments: PAYMENT };
      const path = `/v1/approvals/${approval.id}`;
      const reader = world.api.withKey(apiKey);
      expectProblem(await reader.post(`${path}/preview`, body), 403, 'missing_scope');
      expect((await reader.get(`${path}/precedents`)).status).toBe(200);
      await reject(approval);
      expectProblem(await preview(approval, PAYMENT), 409, 'already_decided');
    });
  });
});
