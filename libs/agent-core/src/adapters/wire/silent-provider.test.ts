import type { ModelAdapter } from '../../model/model.js';
import type { ModelChoice } from '../../model/model-choice.js';
import type { ModelEvent } from '../../model/model-event.js';
import { createAnthropicMessagesAdapter } from '../anthropic-messages/client.js';
import { createGenerateContentAdapter } from '../google/generate-content/adapter.js';
import { createInteractionsAdapter } from '../google/interactions/adapter.js';
import { createOpenAiChatAdapter } from '../openai-chat/client.js';
import { createOpenAiResponsesAdapter } from '../openai-responses/client.js';
import { LONGEST_SILENCE_MS } from './limits.js';

const event = (value: object, name = '') =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`;

interface Silent {
  readonly name: string;
  readonly adapter: ModelAdapter;
  readonly provider: ModelChoice['provider'];
  /** A sign of life that says nothing. */
  readonly ping: string;
  /** A piece of a reply; it may come any number of times. */
  readonly word: string;
}

const silent: readonly Silent[] = [
  {
    name: 'Chat Completions',
    adapter: createOpenAiChatAdapter(),
    provider: 'openai',
    ping: ': OPENROUTER PROCESSING\n\n',
    word: event({ choices: [{ index: 0, delta: { content: 'a' } }] }),
  },
  {
    name: 'Responses',
    adapter: createOpenAiResponsesAdapter(),
    provider: 'openai',
    ping: event({ type: 'keepalive', sequence_number: 3 }, 'keepalive'),
    word: event(
      { type: 'response.output_text.delta', output_index: 0, delta: 'a' },
      'response.output_text.delta',
    ),
  },
  {
    name: 'Anthropic Messages',
    adapter: createAnthropicMessagesAdapter(),
    provider: 'anthropic',
    ping: event({ type: 'ping' }, 'ping'),
    word: event({ type: 'message_delta', delta: {}, usage: { output_tokens: 1 } }, 'message_delta'),
  },
  {
    name: 'generateContent',
    adapter: createGenerateContentAdapter(),
    provider: 'google',
    ping: ': ping\n\n',
    word: event({ candidates: [{ content: { parts: [{ text: 'a' }] } }] }),
  },
  {
    name: 'Interactions',
    adapter: createInteractionsAdapter(),
    provider: 'google',
    ping: ': ping\n\n',
    word: event({ event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'a' } }),
  },
];

/** A provider whose stream is open, and what has come of the attempt so far. */
function open({ adapter, provider }: Silent, signal: AbortSignal) {
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  let opened = () => {};
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const call = adapter.prepare(
    {
      choice: { provider, model: 'm' },
      maxOutputTokens: 10,
      instructions: '',
      conversation: [{ role: 'user', text: 'hello' }],
      tools: [],
      toolChoice: 'auto',
    },
    {
      apiKey: 'k',
      baseUrl: 'http://127.0.0.1',
      fetch: async (_, init) => {
        const stream = new ReadableStream<Uint8Array>({
          start(controller) {
            body = controller;
            opened();
            init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
          },
        });
        return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
      },
    },
  );
  const events: ModelEvent[] = [];
  const ended = (async () => {
    for await (const each of call.send(signal)) events.push(each);
  })();
  const send = (text: string) => body?.enqueue(new TextEncoder().encode(text));
  return { events, ended, send, isOpen };
}

const MINUTES = LONGEST_SILENCE_MS / 60_000;
const minute = () => jest.advanceTimersByTimeAsync(60_000);
const failures = (events: readonly ModelEvent[]) => events.filter(({ type }) => type === 'failure');

describe.each(silent)('a stream of $name', (provider) => {
  beforeAll(async () => {
    // The first call loads the SDK, which fake time cannot wait for.
    const abort = new AbortController();
    const attempt = open(provider, abort.signal);
    await attempt.isOpen;
    abort.abort();
    await attempt.ended;
  });
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('in which nothing is said is given up, whatever pings keep it open', async () => {
    const attempt = open(provider, new AbortController().signal);
    await attempt.isOpen;
    for (let passed = 1; passed < MINUTES; passed += 1) {
      attempt.send(provider.ping);
      await minute();
    }
    expect(failures(attempt.events)).toEqual([]);
    await minute();
    await attempt.ended;
    expect(attempt.events.at(-1)).toMatchObject({
      type: 'failure',
      failure: { code: 'timeout', message: 'nothing was heard for 300 s', neverSent: false, status: null },
    });
  });

  it('goes on for as long as it says something, and is given up once it stops', async () => {
    const attempt = open(provider, new AbortController().signal);
    await attempt.isOpen;
    for (let passed = 0; passed < 3 * MINUTES; passed += 1) {
      attempt.send(provider.word);
      await settled();
      await minute();
    }
    expect(failures(attempt.events)).toEqual([]);
    for (let passed = 1; passed < MINUTES; passed += 1) await minute();
    await attempt.ended;
    expect(attempt.events.at(-1)).toMatchObject({ failure: { code: 'timeout' } });
  });
});
