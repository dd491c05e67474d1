import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import type { ModelServer } from '../support/model-server.js';
import { signedInMember } from '../support/people.js';
import { approvalOf, callOf } from '../support/runs.js';
import type { StackAddress } from '../support/stack.js';
import type { ToolServer } from '../support/tool-server.js';
import { type ApprovalView, FINAL_STATUSES } from '../support/wire.js';

/** What became of one approval that two reviewers and its expiry came to at once. */
export interface AtOnce {
  readonly status: string;
  /** Whether the one who approved was told so, and the one who rejected. */
  readonly accepted: readonly boolean[];
  readonly call: string;
  readonly sent: number;
}

/** What there may be: one outcome, known to everybody, and the effect follows it. */
export const ONE_OUTCOME: readonly AtOnce[] = [
  { status: 'approved', accepted: [true, false], call: 'succeeded', sent: 1 },
  { status: 'rejected', accepted: [false, true], call: 'denied', sent: 0 },
  { status: 'expired', accepted: [false, false], call: 'denied', sent: 0 },
];

/**
 * The two decide from nine steps before the approval expires to one after: a decision takes longer on its way than the
 * clock on its own, all the more where many are on their way.
 */
const [STEPS_BEFORE, STEPS, STEP_MS] = [9, 11, 80];
/** Only a failure takes so long. */
const PATIENCE_SECONDS = 240;

/** So many approvals, each approved, rejected and expiring at about the same instant. */
export async function decideAtOnce(
  stack: StackAddress,
  { tools, model }: { readonly tools: ToolServer; readonly model: ModelServer },
  count: number,
  ttlSeconds: number,
): Promise<readonly AtOnce[]> {
  const { api } = await createTenant({}, stack);
  const rules = [{ tool: '*', action: 'require_approval', ttlSeconds, onExpiry: 'reject' }];
  await api.expect(200, api.put('/v1/policy', { rules }));
  const approver = await signedInMember(api, 'reviewer');
  const rejecter = await signedInMember(api, 'reviewer');
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
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { id } = await startRun(api);
      const approval = await approvalOf(api, id);
      const at = Date.parse(approval.expiresAt) + ((index % STEPS) - STEPS_BEFORE) * STEP_MS;
      await new Promise((resolve) => setTimeout(resolve, at - Date.now()));
      const { argumentsDigest } = approval;
      const decide = (reviewer: Api, decision: string) =>
        reviewer.post(`/v1/approvals/${approval.id}/decision`, { decision, argumentsDigest });
      const answers = await Promise.all([decide(approver.api, 'approve'), decide(rejecter.api, 'reject')]);
      await api.waitFor(id, (run) => FINAL_STATUSES.includes(run.status), PATIENCE_SECONDS);
      const { status } = await api.expect(200, api.get<ApprovalView>(`/v1/approvals/${approval.id}`));
      const call = await callOf(api, id, 'send');
      const sent = tools.calls('send').filter(({ body }) => body.context.runId === id).length;
      return { status, accepted: answers.map((answer) => answer.status === 200), call: call.status, sent };
    }),
  );
}
