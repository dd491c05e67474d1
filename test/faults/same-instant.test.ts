import { createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel, withServers } from '../support/definitions.js';
import { approvalOf, callOf } from '../support/runs.js';
import { sharedStack } from '../support/stack.js';
import { type ApprovalView, FINAL_STATUSES } from '../support/wire.js';

const APPROVALS = 40;
const TTL_SECONDS = 4;

/** Both decide this long before the approval expires, to this long after. */
const SPREAD_MS = 150;

test(`two reviewers and the expiry of ${APPROVALS} approvals at the same instant: one outcome each, and the effect follows it`, () =>
  withServers(async ({ tools, model }) => {
    const { api } = await createTenant({}, sharedStack());
    const rules = [{ tool: '*', action: 'require_approval', ttlSeconds: TTL_SECONDS, onExpiry: 'reject' }];
    await api.expect(200, api.put('/v1/policy', { rules }));
    await createTool(api, tools, { name: 'send', effect: 'once' });
    await createAgent(api, { model: testModel(model), tools: ['send'] });
    tools.on('send', (request) => {
      tools.apply(request, 'sent');
      return { status: 200, body: 'sent' };
    });
    model.play(({ body }) =>
      body.messages.some((message) => message.role === 'tool')
        ? { text: 'Done.' }
        : { calls: [{ id: 'call_1', tool: 'send', arguments: {} }] },
    );

    const outcomes = await Promise.all(
      Array.from({ length: APPROVALS }, async (_, index) => {
        const { id } = await startRun(api);
        const approval = await approvalOf(api, id);
        const at = Date.parse(approval.expiresAt) + ((index % 7) - 3) * (SPREAD_MS / 3);
        await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
        const decide = (decision: string) =>
          api.post(`/v1/approvals/${approval.id}/decision`, {
            decision,
            argumentsDigest: approval.argumentsDigest,
          });
        const answers = await Promise.all([decide('approve'), decide('reject')]);
        await api.waitFor(id, (run) => FINAL_STATUSES.includes(run.status));
        const { status } = await api.expect(200, api.get<ApprovalView>(`/v1/approvals/${approval.id}`));
        const call = await callOf(api, id, 'send');
        const sent = tools.calls('send').filter(({ body }) => body.context.runId === id).length;
        return { status, accepted: answers.map((answer) => answer.status === 200), call: call.status, sent };
      }),
    );
    for (const outcome of outcomes) {
      expect([
        { status: 'approved', accepted: [true, false], call: 'succeeded', sent: 1 },
        { status: 'rejected', accepted: [false, true], call: 'denied', sent: 0 },
        { status: 'expired', accepted: [false, false], call: 'denied', sent: 0 },
      ]).toContainEqual(outcome);
    }
  }));
