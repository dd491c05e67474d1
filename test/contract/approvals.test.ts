import { createTool } from '../support/definitions.js';
import { approvalOf, decide, resultsOf } from '../support/runs.js';
import type { ApprovalView, Page } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, PAYMENT, type RunsWorld } from './runs-world.js';

describe('approvals', () => {
  let world: RunsWorld;
  beforeEach(async () => {
    world = await openRunsWorld();
  });
  afterEach(() => world.close());

  const ask = async (body: object = {}): Promise<ApprovalView> => {
    const run = await world.startPayment({ ...body });
    return approvalOf(world.api, run.id);
  };
  const read = (approval: ApprovalView) =>
    world.api.expect(200, world.api.get<ApprovalView>(`/v1/approvals/${approval.id}`));
  const undo = (approval: ApprovalView) => world.api.post(`/v1/approvals/${approval.id}/undo`, {});
  const approveIt = { decision: 'approve' } as const;

  describe('looking', () => {
    test('an approval is what the contract writes', async () => {
      const approval = await ask({ subject: { id: 'customer-1' } });
      expect(approval).toEqual({
        id: expect.stringMatching(/^apr_[0-9a-z]{26}$/),
        runId: expect.stringMatching(/^run_/),
        agent: { name: 'agent', version: 1 },
        toolCallId: approval.id.replace('apr_', 'tcl_'),
        tool: 'pay',
        toolVersion: 1,
        arguments: PAYMENT,
        argumentsDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        effect: 'once',
        money: { amount: '12.50', currency: 'USD' },
        facts: null,
        reason: expect.any(String),
        policyRule: 'default',
        policyVersion: 0,
        subject: { id: 'customer-1' },
        status: 'pending',
        requiredApprovals: 1,
        approverRoles: [],
        startedBy: { type: 'key', id: expect.stringMatching(/^key_/) },
        decisions: [],
        requestedAt: expect.any(String),
        expiresAt: expect.any(String),
      });
      const ttl = Date.parse(approval.expiresAt) - Date.parse(approval.requestedAt);
      expect(ttl).toBe(86_400_000);
    });

    test('a list is filtered by status and run, tool, agent and subject', async () => {
      const first = await ask();
      const second = await ask({ subject: { id: 'other' } });
      await world.api.expect(200, decide(world.api, first, { decision: 'reject' }));
      const listed = async (query: string) =>
        (await world.api.get<Page<ApprovalView>>(`/v1/approvals?${query}`)).body.data.map(({ id }) => id);
      expect(await listed('')).toEqual([second.id, first.id]);
      expect(await listed('status=pending')).toEqual([second.id]);
      expect(await listed('status=rejected')).toEqual([first.id]);
      expect(await listed(`runId=${first.runId}`)).toEqual([first.id]);
      expect(await listed('runId=nonsense')).toEqual([]);
      expect(await listed('status=closed')).toEqual([first.id]);
      expect(await listed('subject=other')).toEqual([second.id]);
      expect(await listed('tool=pay&agent=agent')).toEqual([second.id, first.id]);
      expect(await listed('tool=look')).toEqual([]);
      expect(await listed('agent=nobody')).toEqual([]);
      expectInvalid(await world.api.get('/v1/approvals?status=open'), 'status');
    });

    test('facts are those of the moment in which a pending card is looked at', async () => {
      await createTool(world.api, world.tools, {
        name: 'checked',
        effect: 'once',
        check: { url: world.tools.urlOf('checked', 'check') },
      });
      await world.api.expect(
        200,
        world.api.put('/v1/agents/agent', {
          instructions: 'Do what you are asked.',
          model: {
            provider: 'openai-compatible',
            model: 'test-model',
            api: 'chat',
            maxOutputTokens: 100,
            baseUrl: world.model.baseUrl,
          },
          tools: ['checked'],
        }),
      );
      const stock = { status: 200, body: '' as unknown };
      world.tools.onCheck('checked', () => stock);
      stock.body = { ok: true, facts: { left: 3 }, message: 'fine' };
      world.model.play([{ calls: [{ tool: 'checked', arguments: {} }] }]);
      const { id } = await world.start();
      const approval = await approvalOf(world.api, id);
      expect(approval.facts).toEqual({ ok: true, facts: { left: 3 }, message: 'fine' });
      stock.body = { ok: false, facts: { left: 0 }, message: 'sold out' };
      expect((await read(approval)).facts).toEqual({ ok: false, facts: { left: 0 }, message: 'sold out' });
      stock.status = 404;
      expect((await read(approval)).facts).toBeNull();
      await world.api.expect(200, decide(world.api, approval, { decision: 'reject' }));
      stock.status = 200;
      expect((await read(approval)).facts).toBeNull();
    });

    test.each([
      ['GET', ''],
      ['POST', '/decision'],
      ['POST', '/undo'],
      ['GET', '/precedents'],
      ['POST', '/preview'],
    ])('%s of another tenant’s approval, an unknown or a malformed one is 404: %s', async (method, path) => {
      const approval = await ask();
      const stranger = await world.stranger();
      const body =
        path === '/decision'
          ? JSON.stringify({ ...approveIt, argumentsDigest: approval.argumentsDigest })
          : path === '/preview'
            ? JSON.stringify({ editedArguments: PAYMENT })
            : undefined;
      const send = (api: typeof stranger, id: string) => api.send(method, `/v1/approvals/${id}${path}`, body);
      expectProblem(await send(stranger, approval.id), 404, 'not_found');
      for (const id of [`apr_${'0'.repeat(26)}`, 'nonsense', '%00']) {
        expectProblem(await send(world.api, id), 404, 'not_found');
      }
      expect((await read(approval)).status).toBe('pending');
    });
  });

  describe('undoing', () => {
    test('an approval that is held is pending again, with its first expiry', async () => {
      const approval = await ask();
      await world.api.expect(200, decide(world.api, approval, { ...approveIt, holdSeconds: 10 }));
      const undone = await world.api.expect(200, undo(approval) as Promise<never>);
      expect(undone).toMatchObject({ status: 'pending', decisions: [], expiresAt: approval.expiresAt });
      expect(world.tools.calls('pay')).toHaveLength(0);
      await world.api.expect(200, decide(world.api, approval, approveIt));
      await world.api.waitFor(approval.runId, ({ status }) => status === 'completed');
      expect(world.tools.calls('pay')).toHaveLength(1);
    });

    test('a held approval takes effect when its time is over', async () => {
      const approval = await ask();
      await world.api.expect(200, decide(world.api, approval, { ...approveIt, holdSeconds: 1 }));
      await world.api.waitFor(approval.runId, ({ status }) => status === 'completed');
      expect(world.tools.calls('pay')).toHaveLength(1);
      expectProblem(await undo(approval), 409, 'undo_too_late');
    });

    test('nothing is undone where nobody decided, after a rejection, or after a cancellation', async () => {
      const pending = await ask();
      expectProblem(await undo(pending), 409, 'undo_too_late');
      await world.api.expect(200, decide(world.api, pending, { decision: 'reject' }));
      expectProblem(await undo(pending), 409, 'undo_too_late');
      await world.api.waitFor(pending.runId, ({ status }) => status === 'completed');
      const cancelled = await ask({ subject: { id: 'other' } });
      await world.api.post(`/v1/runs/${cancelled.runId}/cancel`, {});
      await world.api.waitFor(cancelled.runId, ({ status }) => status === 'cancelled');
      expectProblem(await undo(cancelled), 409, 'approval_cancelled');
    });
  });

  describe('editing', () => {
    const edit = (approval: ApprovalView, editedArguments: unknown) =>
      decide(world.api, approval, { ...approveIt, editedArguments });

    test('the edited call runs under a digest of its own, and the model is told', async () => {
      const approval = await ask();
      await world.api.expect(200, edit(approval, { ...PAYMENT, amount: '10.00' }));
      await world.api.waitFor(approval.runId, ({ status }) => status === 'completed');
      expect(world.tools.calls('pay').map(({ body }) => body.arguments)).toEqual([
        { ...PAYMENT, amount: '10.00' },
      ]);
      const shown = await read(approval);
      expect(shown.arguments).toEqual({ ...PAYMENT, amount: '10.00' });
      expect(shown.argumentsDigest).not.toBe(approval.argumentsDigest);
      expect((await resultsOf(world.api, approval.runId)).join()).toContain('10.00');
    });

    test.each([
      ['what the intent names', { ...PAYMENT, order: 8 }],
      ['a number where a text stands', { ...PAYMENT, amount: 12.5 }],
      ['what the schema does not know', { ...PAYMENT, extra: 1 }],
      ['away what is required', { order: 7 }],
    ])('an edit of %s is refused, and the approval stays pending', async (_name, edited) => {
      const approval = await ask();
      const { errors } = expectProblem(await edit(approval, edited), 422, 'edit_refused');
      expect(errors?.length).toBeGreaterThan(0);
      for (const { path } of errors ?? []) expect(path).toMatch(/^\/editedArguments/);
      expect((await read(approval)).status).toBe('pending');
    });

    test('an edit that policy denies is refused, and the approval stays pending', async () => {
      const approval = await ask();
      const when = [{ path: '/amount', op: 'gt', value: '100' }];
      await world.api.expect(
        200,
        world.api.put('/v1/policy', { rules: [{ tool: 'pay', when, action: 'deny' }] }),
      );
      expectProblem(await edit(approval, { ...PAYMENT, amount: '100.01' }), 422, 'edit_refused');
      expect((await read(approval)).status).toBe('pending');
    });
  });
});
