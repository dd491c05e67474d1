import { isRetryable } from '../../model/retryable.js';
import { ask } from '../../testing/ask-adapter.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { errorCases } from '../../testing/wire-data.js';
import { createGenerateContentAdapter } from './generate-content/adapter.js';
import { createInteractionsAdapter } from './interactions/adapter.js';

const request = {
  choice: { provider: 'google', model: 'asked-for' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
} as const;

describeRecorded('recorded errors', (folder) => {
  describe.each([
    ['generateContent', createGenerateContentAdapter()],
    ['Interactions', createInteractionsAdapter()],
  ])('of %s', (_name, adapter) => {
    it.each(errorCases(folder, 'gemini').map((each) => [each.id, each] as const))(
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
        expect(last.failure).toMatchObject({
          status: each.status,
          code: each.status === 429 ? 'rate_limited' : 'overloaded',
          retryAfterMs: null,
        });
        expect(last.failure.message).toMatch(/Resource (has been )?exhausted|overloaded/);
      },
    );
  });
});
