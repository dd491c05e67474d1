import type { Api } from '../support/client.js';
import { decide } from '../support/runs.js';
import type { ToolServer } from '../support/tool-server.js';
import type { ApprovalView, Page } from '../support/wire.js';

interface OutcomeView {
  readonly runId: string;
  readonly toolCallId: string;
}

const BREATH_MS = 100;

/**
 * Whom a tenant's runs wait for: signs whatever is asked for and, where nobody knows, says what the tool's ledger says.
 * What is not answered is asked again, so an API that is away costs time only.
 */
export function startPerson(api: Api, tools: ToolServer): { stop(): Promise<void> } {
  let stopped = false;
  const working = (async () => {
    while (!stopped) {
      await answerAll(api, tools).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, BREATH_MS));
    }
  })();
  return {
    stop: () => {
      stopped = true;
      return working;
    },
  };
}

async function answerAll(api: Api, tools: ToolServer): Promise<void> {
  const pending = async <Item>(path: string) =>
    (await api.expect(200, api.get<Page<Item>>(`${path}?status=pending&limit=100`))).data;
  for (const approval of await pending<ApprovalView>('/v1/approvals')) {
    await decide(api, approval, { decision: 'approve' });
  }
  for (const { runId, toolCallId } of await pending<OutcomeView>('/v1/outcomes')) {
    const happened = tools.requests.some(
      ({ body, idempotencyKey }) =>
        body.context.toolCallId === toolCallId && tools.effects.has(idempotencyKey ?? ''),
    );
    await api.post(`/v1/runs/${runId}/tool-calls/${toolCallId}/outcome`, { happened });
  }
}
