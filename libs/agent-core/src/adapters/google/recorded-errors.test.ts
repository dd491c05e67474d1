import { isRetryable } from '../../model/retryable.js';
import { ask } from '../../testing/ask-adapter.js';
import { errorCases, testDataFolder } from '../../testing/wire-data.js';
import { createGenerateContentAdapter } from './generate-content/adapter.js';
import { createInteractionsAdapter } from './interactions/adapter.js';

const folder = testDataFolder();
const describeRecorded = folder === null ? describe.skip : describe;
const cases = folder === null ? [] : errorCases(folder, 'gemini');

const request = {
  choice: { provider: 'google', model: 'asked-for' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
} as const;

describeRecorded.each([
  ['generateContent', createGenerateContentAdapter()],
  ['Interactions', createInteractionsAdapter()],
])('recorded errors of %s (skipped without COUNTERSIGN_TEST_DATA)', (_name, adapter) => {
  it.each(cases.map((each) => [each.id, each] as const))(
    '%s is retried only where that can help',
    async (_id, each) => {
      const headers = { 'content-type': 'application/json', ...each.headers };
      const last = (
        await ask({ adapter, request }, { status: each.status, headers, pieces: [JSON.stringify(each.body)] })
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
