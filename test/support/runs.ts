import type { Api, Reply } from './client.js';
import type { ApprovalView, MessageView, RunView, ToolCallView } from './wire.js';

/** The conversation of a run, without ids and times: what was said, by whom, and about which call. */
export async function messagesOf(api: Api, runId: string): Promise<MessageView[]> {
  const messages = await api.all<MessageView>(`/v1/runs/${runId}/messages`);
  return messages.map(({ role, content, calls, callId, tool, isError }) => ({
    role,
    content,
    ...(calls === undefined || calls.length === 0 ? {} : { calls }),
    ...(callId === undefined ? {} : { callId, tool, isError }),
  }));
}

/** The words of the tools' results alone, in the order in which the model read them. */
export async function resultsOf(api: Api, runId: string): Promise<string[]> {
  const messages = await messagesOf(api, runId);
  return messages.filter((message) => message.role === 'tool').map((message) => message.content);
}

export function toolCallsOf(api: Api, runId: string): Promise<ToolCallView[]> {
  return api.all<ToolCallView>(`/v1/runs/${runId}/tool-calls`);
}

/** The only call of this tool in a run. */
export async function callOf(api: Api, runId: string, tool: string): Promise<ToolCallView> {
  const calls = (await toolCallsOf(api, runId)).filter((call) => call.tool === tool);
  const [call] = calls;
  if (call === undefined || calls.length > 1) throw new Error(`${calls.length} calls of ${tool}`);
  return call;
}

/** Waits until the run asks for a signature, and answers the newest request. */
export async function approvalOf(api: Api, runId: string): Promise<ApprovalView> {
  const run = await api.waitFor(runId, (seen) => (seen.waitingOn?.approvals.length ?? 0) > 0);
  const id = run.waitingOn?.approvals.at(-1);
  return api.expect(200, api.get<ApprovalView>(`/v1/approvals/${id}`));
}

export interface DecisionBody {
  readonly decision: 'approve' | 'reject';
  readonly editedArguments?: unknown;
  readonly message?: string;
  readonly holdSeconds?: number;
}

export function decide(api: Api, approval: ApprovalView, body: DecisionBody): Promise<Reply<unknown>> {
  return api.post(`/v1/approvals/${approval.id}/decision`, {
    argumentsDigest: approval.argumentsDigest,
    ...body,
  });
}

/** Waits for the request, approves it, and answers what was approved. */
export async function approve(
  api: Api,
  runId: string,
  body: Partial<DecisionBody> = {},
): Promise<ApprovalView> {
  const approval = await approvalOf(api, runId);
  await api.expect(200, decide(api, approval, { decision: 'approve', ...body }));
  return approval;
}

/** Waits for the run to end in this status. Throws with its story where it ends otherwise. */
export function endOf(api: Api, runId: string, status: RunView['status']): Promise<RunView> {
  return api.waitFor(runId, (run) => run.status === status);
}
