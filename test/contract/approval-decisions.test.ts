import { admin } from '../support/client.js';
import { approvalOf, callOf, decide, resultsOf } from '../support/runs.js';
import type { ApprovalView } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

describe('deciding on approvals', () => {
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
  const approveIt = { decision: 'approve' } as const;

  test('an approval runs the call once, and shows who decided', async () => {
    const approval = await ask();
    const answer = await world.api.expect(
      200,
      decide(world.api, approval, { ...approveIt, message: 'fine by me' }) as Promise<never>,
    );
    expect(answer).toMatchObject({
      status: 'approved',
      decisions: [
        {
          by: { type: 'key', id: expect.stringMatching(/^key_/) },
          name: 'First key',
          decision: 'approve',
          message: 'fine by me',
          at: expect.any(String),
        },
      ],
    });
    await world.api.waitFor(approval.runId, ({ status }) => status === 'completed');
    expect(world.tools.calls('pay')).toHaveLength(1);
  });

  test('a rejection runs nothing and tells the model why', async () => {
    const approval = await ask();
    await world.api.expect(200, decide(world.api, approval, { decision: 'reject', message: 'Too much' }));
    await world.api.waitFor(approval.runId, ({ status }) => status === 'completed');
    expect(world.tools.calls('pay')).toHaveLength(0);
    expect((await resultsOf(world.api, approval.runId)).join()).toContain('Too much');
    expect(await callOf(world.api, approval.runId, 'pay')).toMatchObject({ status: 'denied' });
    expect((await read(approval)).status).toBe('rejected');
  });

  test('a key that is deleted before the call runs has not signed: somebody else is asked', async () => {
    const approval = await ask();
    const key = await world.api.expect(
      201,
      world.api.post<{ id: string; apiKey: string }>('/v1/keys', {
        name: 'signer',
        scopes: ['approvals:decide'],
      }),
    );
    const signer = world.api.withKey(key.apiKey);
    await world.api.expect(200, decide(signer, approval, { ...approveIt, holdSeconds: 2 }));
    expect((await world.api.delete(`/v1/keys/${key.id}`)).status).toBe(204);
    await world.api.waitFor(
      approval.runId,
      ({ waitingOn }) => waitingOn?.approvals.some((id) => id !== approval.id) === true,
    );
    expect(world.tools.calls('pay')).toHaveLength(0);
    expect((await read(approval)).status).toBe('cancelled');
    const again = await approvalOf(world.api, approval.runId);
    await world.api.expect(200, decide(world.api, again, approveIt));
    await world.api.waitFor(approval.runId, ({ status }) => status === 'completed');
    expect(world.tools.calls('pay')).toHaveLength(1);
  });

  test('a key that was made a moment ago signs, and so does one that is rotated', async () => {
    const approval = await ask();
    const key = await world.api.expect(
      201,
      world.api.post<{ id: string; apiKey: string }>('/v1/keys', {
        name: 'signer',
        scopes: ['approvals:decide'],
      }),
    );
    const held = decide(world.api.withKey(key.apiKey), approval, { ...approveIt, holdSeconds: 1 });
    await world.api.expect(200, held);
    await world.api.expect(200, world.api.post(`/v1/keys/${key.id}/rotate`, {}));
    await world.api.waitFor(approval.runId, ({ status }) => status === 'completed');
    expect((await read(approval)).status).toBe('approved');
  });

  test('of many who decide at once exactly one is heard', async () => {
    const approval = await ask();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        decide(world.api, approval, { decision: index % 2 === 0 ? 'approve' : 'reject' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expect(expectProblem(refused, 409, 'already_decided')).toMatchObject({
        decision: { by: { type: 'key' }, decision: expect.stringMatching(/^(approve|reject)$/) },
      });
    }
    await world.api.waitFor(approval.runId, ({ status }) => status === 'completed');
    const { status, decisions } = await read(approval);
    expect(decisions).toHaveLength(1);
    expect(world.tools.calls('pay')).toHaveLength(status === 'approved' ? 1 : 0);
  });

  test('a second decision is told the first', async () => {
    const approval = await ask();
    await world.api.expect(200, decide(world.api, approval, { decision: 'reject', message: 'No' }));
    const again = await decide(world.api, approval, approveIt);
    expect(expectProblem(again, 409, 'already_decided')).toMatchObject({
      decision: { decision: 'reject', message: 'No', by: { type: 'key' }, at: expect.any(String) },
    });
  });

  test('any digest but the current one is refused, and the approval stays pending', async () => {
    const approval = await ask();
    for (const argumentsDigest of [`sha256:${'0'.repeat(64)}`, 'nonsense', '']) {
      const refused = await world.api.post(`/v1/approvals/${approval.id}/decision`, {
        ...approveIt,
        argumentsDigest,
      });
      expectProblem(refused, 409, 'digest_mismatch');
    }
    expect((await read(approval)).status).toBe('pending');
  });

  test.each([
    ['no digest', { argumentsDigest: undefined }, '/argumentsDigest'],
    ['no such decision', { decision: 'maybe' }, '/decision'],
    ['a hold over ten seconds', { holdSeconds: 11 }, '/holdSeconds'],
    ['a hold that is no number', { holdSeconds: '1' }, '/holdSeconds'],
    ['arguments that are no object', { editedArguments: [1] }, '/editedArguments'],
    ['an edit with a rejection', { decision: 'reject', editedArguments: {} }, '/editedArguments'],
    ['a field of its own', { approved: true }, '/approved'],
  ])('refuses %s', async (_name, fields, path) => {
    const approval = await ask();
    const { argumentsDigest } = approval;
    const body = { ...approveIt, argumentsDigest, ...fields };
    expectInvalid(await world.api.post(`/v1/approvals/${approval.id}/decision`, body), path);
    expect((await read(approval)).status).toBe('pending');
  });

  test('nobody decides after the approval has expired', async () => {
    await world.api.expect(
      200,
      world.api.put('/v1/policy', { rules: [{ tool: 'pay', action: 'require_approval', ttlSeconds: 1 }] }),
    );
    const approval = await ask();
    await world.api.waitFor(approval.runId, ({ status }) => status === 'completed');
    expectProblem(await decide(world.api, approval, approveIt), 409, 'approval_expired');
    expect((await read(approval)).status).toBe('expired');
    expect(world.tools.calls('pay')).toHaveLength(0);
  });

  test('nobody decides after the run was cancelled', async () => {
    const approval = await ask();
    await world.api.post(`/v1/runs/${approval.runId}/cancel`, {});
    await world.api.waitFor(approval.runId, ({ status }) => status === 'cancelled');
    expectProblem(await decide(world.api, approval, approveIt), 409, 'approval_cancelled');
  });

  test.each([
    ['two people', { approvals: 2 }],
    ['a role', { approverRole: 'admin' }],
  ])('a key is not one of %s', async (_name, rule) => {
    await world.api.expect(
      200,
      world.api.put('/v1/policy', { rules: [{ tool: 'pay', action: 'require_approval', ...rule }] }),
    );
    const approval = await ask();
    for (const decision of ['approve', 'reject'] as const) {
      expectProblem(await decide(world.api, approval, { decision }), 403, 'not_an_approver');
    }
    expect((await read(approval)).status).toBe('pending');
  });

  test('a suspended tenant decides nothing', async () => {
    const approval = await ask();
    const path = `/admin/v1/tenants/${world.tenantId}`;
    await admin().expect(200, admin().patch(path, { suspended: true }));
    expectProblem(await decide(world.api, approval, approveIt), 403, 'tenant_suspended');
    await admin().expect(200, admin().patch(path, { suspended: false }));
    expect((await read(approval)).status).toBe('pending');
  });
});
