import type { ModelRequest } from '../../../model/conversation.js';
import type { ModelEvent } from '../../../model/model-event.js';
import { ask } from '../../../testing/ask-adapter.js';
import type { RecordedReply } from '../../../testing/recorded-server.js';
import { createGenerateContentAdapter } from './adapter.js';

const request: ModelRequest = {
  choice: { provider: 'google', model: 'gemini-3-pro' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
};
const question = { adapter: createGenerateContentAdapter(), request };
const lastOf = async (reply: RecordedReply): Promise<ModelEvent | undefined> =>
  (await ask(question, reply)).at(-1);

const event = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const said = (text: string, finishReason?: string) =>
  event({ candidates: [{ content: { parts: [{ text }] }, ...(finishReason && { finishReason }) }] });
const sse = (...pieces: readonly string[]): RecordedReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  pieces,
});
const json = (body: unknown, status = 200, headers = {}): RecordedReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  pieces: [typeof body === 'string' ? body : JSON.stringify(body)],
});

describe('a reply', () => {
  const withCall = (args: string) =>
    event(
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"pay","args":${args}}}]},"finishReason":"STOP"}]}`,
    );

  it.each(['{"n":9007199254740993}', '{"n":0.1000000000000000055}', '{"n":1.0,"m":-0,"e":1e400}'])(
    'keeps every digit: %s',
    async (args) => {
      expect(await lastOf(sse(withCall(args)))).toMatchObject({ response: { calls: [{ arguments: args }] } });
    },
  );

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'max_tokens'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
    ['LANGUAGE', 'error'],
    ['OTHER', 'error'],
    ['FINISH_REASON_UNSPECIFIED', 'error'],
    ['A_WORD_OF_TOMORROW', 'error'],
  ])('that ends with %s is %s', async (raw, unified) => {
    expect(await lastOf(sse(said('hi', raw)))).toMatchObject({
      type: 'response',
      response: { finish: { unified, raw } },
    });
  });

  it('to a blocked prompt is refused, and costs what Google says', async () => {
    const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' };
    const usageMetadata = { promptTokenCount: 7, totalTokenCount: 7 };
    expect(await lastOf(sse(event({ promptFeedback, usageMetadata })))).toMatchObject({
      response: {
        finish: { unified: 'content_filter', raw: 'PROHIBITED_CONTENT' },
        usage: { inputTokens: 7, outputTokens: 0 },
      },
    });
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL'])(
    'that ends with %s is a failed attempt which was paid for',
    async (finishReason) => {
      const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 9 };
      const candidates = [{ finishReason, finishMessage: 'call:default_api:pay(' }];
      expect(await lastOf(sse(event({ candidates, usageMetadata })))).toMatchObject({
        type: 'failure',
        failure: {
          code: 'unreadable',
          message: expect.stringContaining('default_api'),
          usage: { outputTokens: 2 },
        },
      });
    },
  );

  it('counts what was cached within the input, and thoughts beside the candidates', async () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      toolUsePromptTokenCount: 10,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 20,
      totalTokenCount: 140,
    };
    const candidates = [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }];
    expect(await lastOf(sse(event({ candidates, usageMetadata })))).toMatchObject({
      response: {
        // 5 tokens of the total are in no bucket: they are charged as output.
        usage: {
          inputTokens: 110,
          cachedInputTokens: 60,
          cacheWriteTokens: 0,
          outputTokens: 30,
          reasoningTokens: 20,
        },
      },
    });
  });

  it('may be one JSON body, or a list of them, although a stream was asked for', async () => {
    const whole = { candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }] };
    for (const body of [whole, [{ responseId: 'r' }, whole]])
      expect(await lastOf(json(body))).toMatchObject({ type: 'response', response: { text: 'hi' } });
  });

  it('may have comments, carriage returns and data over several lines', async () => {
    const strange =
      ': ping\r\rdata: {"candidates":[{"content":\r\ndata: {"parts":[{"text":"hi"}]}}]}\r\n\r\n';
    expect(await lastOf(sse(strange, 'data:{"candidates":[{"finishReason":"STOP"}]}'))).toMatchObject({
      response: { text: 'hi' },
    });
  });

  it('with arguments or an event of no end is not gathered for ever', async () => {
    const long = 'x'.repeat(1024 * 1024);
    expect(await lastOf(sse(withCall(`{"n":"${long}"}`)))).toMatchObject({ failure: { code: 'unreadable' } });
    expect(await lastOf(sse('data: {"a":"', long, long, long, long, long))).toMatchObject({
      failure: { code: 'unreadable', message: expect.stringContaining('4 MiB') },
    });
  });

  it('that holds a piece of arguments which belongs to no call is none', async () => {
    const called = (functionCall: object) =>
      event({ candidates: [{ content: { parts: [{ functionCall }] } }] });
    const piece = called({ partialArgs: [{ jsonPath: '$.a', stringValue: 'x' }] });
    for (const before of [[], [called({ name: 'pay', args: {} })]])
      expect(await lastOf(sse(...before, piece, said('', 'STOP')))).toMatchObject({
        failure: { code: 'unreadable' },
      });
  });
});
