import { isRetryable } from '../../model/retryable.js';
import { ask } from '../../testing/ask-adapter.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { errorCases } from '../../testing/wire-data.js';
import { createOpenAiChatAdapter } from '../openai-chat/client.js';
import { createOpenAiResponsesAdapter } from '../openai-responses/client.js';

const request = {
  choice: { provider: 'openai', model: 'asked-for' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
} as const;

describeRecorded('recorded errors', (folder) => {
  describe.each([
    ['Chat Completions', createOpenAiChatAdapter()],
    ['Responses', createOpenAiResponsesAdapter()],
  ])('of %s', (_name, adapter) => {
    it.each(errorCases(folder, 'openai').map((each) => [each.id, each] as const))(
      '%s is retried only where that can help',
      async (_id, each) => {
        const headers = { 'content-type': 'application/json', ...each.headers };
        const last = (
          await ask(
            { adapter, request },
            { status: each.status, headers, pieces: [JSON.stringify(each.body)] },
          )
        ).at(-1);
        if (last?.type !== 'failure') throw new Error('no failure');
        expect(isRetryable(last.failure)).toBe(each.retryable);
        expect(last.failure.status).toBe(each.status);
        expect(last.failure.code).toBe(
          { 'openai-429-tpm': 'rate_limited', 'openai-429-request-too-large': 'bad_request' }[each.id] ??
            'billing',
        );
        const waits = each.headers['retry-after-ms'];
        expect(last.failure.retryAfterMs).toBe(waits === undefined ? null : Number(waits));
      },
    );
  });
});
