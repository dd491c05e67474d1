/** Where the API keeps what this feature reads. */
export const APPROVALS = '/v1/approvals';
export const APPROVAL_SUMMARY = `${APPROVALS}/summary`;
export const OUTCOMES = '/v1/outcomes';

export const approvalPath = (id: string): string => `${APPROVALS}/${id}`;
export const toolCallsPath = (runId: string): string => `/v1/runs/${runId}/tool-calls`;
