import { isRetryable } from '../../model/retryable.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { recordedFailure } from '../../testing/recorded-failure.js';
import { errorCases } from '../../testing/wire-data.js';
import { createOpenAiChatAdapter } from '../openai-chat/client.js';
import { createOpenAiResponsesAdapter } from '../openai-responses/client.js';

describeRecorded('recorded errors', (folder) => {
  describe.each([
    ['Chat Completions', createOpenAiChatAdapter()],
    ['Responses', createOpenAiResponsesAdapter()],
  ])('of %s', (_name, adapter) => {
    it.each(errorCases(folder, 'openai').map((each) => [each.id, each] as const))(
      '%s is retried only where that can help',
      async (_id, each) => {
        const failure = await recordedFailure(adapter, 'openai', each);
        expect(isRetryable(failure)).toBe(each.retryable);
        expect(failure.status).toBe(each.status);
        expect(failure.code).toBe(
          { 'openai-429-tpm': 'rate_limited', 'openai-429-request-too-large': 'bad_request' }[each.id] ??
            'billing',
        );
        const waits = each.headers['retry-after-ms'];
        expect(failure.retryAfterMs).toBe(waits === undefined ? null : Number(waits));
      },
    );
  });
});
