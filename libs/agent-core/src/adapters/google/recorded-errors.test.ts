import { isRetryable } from '../../model/retryable.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { recordedFailure } from '../../testing/recorded-failure.js';
import { errorCases } from '../../testing/wire-data.js';
import { createGenerateContentAdapter } from './generate-content/adapter.js';
import { createInteractionsAdapter } from './interactions/adapter.js';

describeRecorded('recorded errors', (folder) => {
  describe.each([
    ['generateContent', createGenerateContentAdapter()],
    ['Interactions', createInteractionsAdapter()],
  ])('of %s', (_name, adapter) => {
    it.each(errorCases(folder, 'gemini').map((each) => [each.id, each] as const))(
      '%s is retried only where that can help',
      async (_id, each) => {
        const failure = await recordedFailure(adapter, 'google', each);
        expect(isRetryable(failure)).toBe(each.retryable);
        expect(failure).toMatchObject({
          status: each.status,
          code: each.status === 429 ? 'rate_limited' : 'overloaded',
          retryAfterMs: null,
        });
        expect(failure.message).toMatch(/Resource (has been )?exhausted|overloaded/);
      },
    );
  });
});
