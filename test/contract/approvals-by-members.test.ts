import type { Api, Reply } from '../support/client.js';
import { startRun } from '../support/definitions.js';
import { type Role, signedInMember, type TestMember } from '../support/people.js';
import { approvalOf, callOf, decide } from '../support/runs.js';
import type { ApprovalView } from '../support/wire.js';
import { expectProblem } from './problem.js';
import { openRunsWorld, PAYMENT, type RunsWorld } from './runs-world.js';

describe('members who decide', () => {
  let world: RunsWorld;
  beforeEach(async () => {
    world = await openRunsWorld();
  });
  afterEach(() => world.close());

  const person = (role: Role): Promise<TestMember> => signedInMember(world.api, role);
  const rule = (fields: object) => {
    const rules = [{ tool: 'pay', action: 'require_approval', ...fields }];
    return world.api.expect(200, world.api.put('/v1/policy', { rules }));
  };
  const ask = async (subject = 'customer-1'): Promise<ApprovalView> =>
    approvalOf(world.api, (await world.startPayment({ subject: { id: subject } })).id);
  const read = ({ id }: ApprovalView) =>
    world.api.expect(200, world.api.get<ApprovalView>(`/v1/approvals/${id}`));
  const approve = (api: Api, approval: ApprovalView, fields: object = {}) =>
    decide(api, approval, { decision: 'approve', ...fields }) as Promise<Reply<ApprovalView>>;
  const completed = ({ runId }: ApprovalView) =>
    world.api.waitFor(runId, ({ status }) => status === 'completed');
  const setRole = ({ member }: TestMember, role: Role) =>
    world.api.expect(200, world.api.patch(`/v1/members/${member.id}`, { role }));
  /** The request that took the place of `former`. */
  const askedAgain = async (former: ApprovalView): Promise<ApprovalView> => {
    const isNew = (approvals: readonly string[]) => approvals.length > 0 && !approvals.includes(former.id);
    await world.api.waitFor(former.runId, ({ waitingOn }) => isNew(waitingOn?.approvals ?? []));
    return approvalOf(world.api, former.runId);
  };

  test('are named in the decision', async () => {
    const reviewer = await person('reviewer');
    const approval = await ask();
    const { body } = await approve(reviewer.api, approval, { message: 'Fine.' });
    expect(body).toMatchObject({
      status: 'approved',
      decisions: [{ by: { type: 'member', id: reviewer.member.id }, name: reviewer.member.name }],
    });
    await completed(approval);
    expect(world.tools.calls('pay')).toHaveLength(1);
    await world.api.delete(`/v1/members/${reviewer.member.id}`);
    expect((await read(approval)).decisions).toMatchObject([{ name: reviewer.member.name }]);
  });

  test('do not decide on a run that they started; the run remembers who did', async () => {
    const [starter, reviewer] = await Promise.all([person('operator'), person('reviewer')]);
    world.model.play([{ calls: [{ tool: 'pay', arguments: PAYMENT }] }, { text: 'Done.' }]);
    const { id } = await startRun(starter.api);
    const approval = await approvalOf(world.api, id);
    const [queued] = await world.api.events(id);
    expect(queued?.data).toMatchObject({ startedBy: { type: 'member', id: starter.member.id } });
    for (const decision of ['approve', 'reject'] as const) {
      expectProblem(await decide(starter.api, approval, { decision }), 403, 'own_request');
    }
    await setRole(starter, 'admin');
    expectProblem(await approve(starter.api, approval), 403, 'own_request');
    expect((await read(approval)).status).toBe('pending');
    expect((await approve(reviewer.api, approval)).status).toBe(200);
    await completed(approval);
  });

  test.each([
    ['operator', ['operator', 'admin'], ['reviewer']],
    ['admin', ['admin'], ['reviewer', 'operator']],
  ] as const)('need the role %s where the rule names it', async (approverRole, may, mayNot) => {
    await rule({ approverRole });
    for (const role of mayNot) {
      const approval = await ask(role);
      const { api } = await person(role);
      for (const decision of ['approve', 'reject'] as const) {
        expectProblem(await decide(api, approval, { decision }), 403, 'not_an_approver');
      }
      expect((await read(approval)).status).toBe('pending');
      await world.api.post(`/v1/runs/${approval.runId}/cancel`, {});
      await world.api.waitFor(approval.runId, ({ status }) => status === 'cancelled');
    }
    for (const role of may) {
      const approval = await ask(role);
      expect((await approve((await person(role)).api, approval)).status).toBe(200);
      await completed(approval);
    }
  });

  test('add up to two different ones where two are asked for', async () => {
    await rule({ approvals: 2 });
    const [one, other] = await Promise.all([person('reviewer'), person('admin')]);
    const approval = await ask();
    expect(approval.requiredApprovals).toBe(2);
    expectProblem(await approve(world.api, approval), 403, 'not_an_approver');
    expect((await approve(one.api, approval)).body).toMatchObject({
      status: 'pending',
      decisions: [{ by: { id: one.member.id } }],
    });
    expect(expectProblem(await approve(one.api, approval), 409, 'already_decided')).toMatchObject({
      decision: { by: { type: 'member', id: one.member.id }, decision: 'approve' },
    });
    expect(world.tools.calls('pay')).toHaveLength(0);
    expect((await approve(other.api, approval)).body).toMatchObject({
      status: 'approved',
      decisions: [{ by: { id: one.member.id } }, { by: { id: other.member.id } }],
    });
    await completed(approval);
    expect(world.tools.calls('pay')).toHaveLength(1);
  });

  test('of two who sign at once both are heard, of one who signs many times once', async () => {
    await rule({ approvals: 2 });
    const [one, other] = await Promise.all([person('reviewer'), person('reviewer')]);
    const both = await ask();
    const answers = await Promise.all([approve(one.api, both), approve(other.api, both)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await completed(both);
    expect(world.tools.calls('pay')).toHaveLength(1);

    world.tools.on('pay', () => ({ status: 422, body: { detail: 'no' } }));
    world.model.play([{ calls: [{ tool: 'pay', arguments: { ...PAYMENT, order: 8 } }] }, { text: 'Done.' }]);
    const { id } = await startRun(world.api);
    const again = await approvalOf(world.api, id);
    const repeats = await Promise.all(Array.from({ length: 5 }, () => approve(one.api, again)));
    expect(repeats.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const { status, decisions } = await read(again);
    expect([status, decisions.length]).toEqual(['pending', 1]);
  });

  test('one rejection ends it, whoever approved before', async () => {
    await rule({ approvals: 2 });
    const [one, other] = await Promise.all([person('reviewer'), person('reviewer')]);
    const approval = await ask();
    await approve(one.api, approval);
    const { body } = (await decide(other.api, approval, { decision: 'reject' })) as Reply<ApprovalView>;
    expect(body.status).toBe('rejected');
    await completed(approval);
    expect(world.tools.calls('pay')).toHaveLength(0);
  });

  test('an edit voids the other\u2019s signature and counts as the editor\u2019s', async () => {
    await rule({ approvals: 2 });
    const [one, other] = await Promise.all([person('reviewer'), person('reviewer')]);
    const approval = await ask();
    await approve(one.api, approval);
    const edited = await approve(other.api, approval, { editedArguments: { ...PAYMENT, amount: '9.00' } });
    expect(edited.body).toMatchObject({ status: 'pending', decisions: [{ by: { id: other.member.id } }] });
    expectProblem(await approve(one.api, approval), 409, 'digest_mismatch');
    expectProblem(await approve(other.api, edited.body), 409, 'already_decided');
    expect((await approve(one.api, edited.body)).body.status).toBe('approved');
    await completed(approval);
    expect(await callOf(world.api, approval.runId, 'pay')).toMatchObject({
      status: 'succeeded',
      arguments: { ...PAYMENT, amount: '9.00' },
    });
  });

  test('who loses the role before the call runs has not signed: somebody else is asked', async () => {
    const [reviewer, other] = await Promise.all([person('reviewer'), person('reviewer')]);
    const approval = await ask();
    const held = await approve(reviewer.api, approval, { holdSeconds: 5 });
    expect(held.body.status).toBe('approved');
    await setRole(reviewer, 'viewer');
    const again = await askedAgain(approval);
    expect(world.tools.calls('pay')).toHaveLength(0);
    expect((await read(approval)).status).toBe('cancelled');
    expect(again).toMatchObject({ status: 'pending', argumentsDigest: approval.argumentsDigest });
    expect((await approve(other.api, again)).status).toBe(200);
    await completed(approval);
    expect(world.tools.calls('pay')).toHaveLength(1);
  });

  test('who left before the second signed has not signed', async () => {
    await rule({ approvals: 2 });
    const [one, two, three] = await Promise.all([person('reviewer'), person('reviewer'), person('admin')]);
    const approval = await ask();
    await approve(one.api, approval);
    expect((await world.api.delete(`/v1/members/${one.member.id}`)).status).toBe(204);
    expect((await approve(two.api, approval)).status).toBe(200);
    const again = await askedAgain(approval);
    expect(world.tools.calls('pay')).toHaveLength(0);
    expect(again.decisions).toEqual([]);
    await approve(two.api, again);
    await approve(three.api, again);
    await completed(approval);
    expect(world.tools.calls('pay')).toHaveLength(1);
  });

  test('a signature outlives a change of role that still suffices', async () => {
    await rule({ approverRole: 'operator' });
    const operator = await person('operator');
    const approval = await ask();
    await approve(operator.api, approval, { holdSeconds: 2 });
    await setRole(operator, 'admin');
    await completed(approval);
    expect(world.tools.calls('pay')).toHaveLength(1);
    expect((await read(approval)).status).toBe('approved');
  });

  test('a viewer decides nothing, and neither does a member of another tenant', async () => {
    const approval = await ask();
    const viewer = await person('viewer');
    expectProblem(await approve(viewer.api, approval), 403, 'missing_scope');
    const stranger = await signedInMember(await world.stranger(), 'admin');
    expectProblem(await approve(stranger.api, approval), 404, 'not_found');
    expect((await read(approval)).status).toBe('pending');
  });
});
