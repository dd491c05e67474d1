import fc from 'fast-check';
import { historyFault } from '../../model/check-history.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { continued } from '../../testing/requests.js';
import {
  anyText,
  argumentsText,
  interleaved,
  messagesOf,
  picks,
  piecesOf,
  plainFailure,
  sprinkled,
} from '../../testing/stream-pieces.js';
import { decodeReply, decodeStream } from './decode.js';
import { encodeMessagesRequest } from './encode.js';

const server = 'anthropic:0';
const context = { choice: { provider: 'anthropic', model: 'm' } as const, server, toFailure: plainFailure };

async function decode(events: readonly unknown[]): Promise<ModelEvent> {
  const found: ModelEvent[] = [];
  for await (const event of decodeStream(messagesOf(events), context)) found.push(event);
  const last = found.at(-1);
  if (last === undefined) throw new Error('a decoded stream has no event');
  expect(found.slice(0, -1).every(({ type }) => type === 'text_delta' || type === 'call_delta')).toBe(true);
  return last;
}

interface Told {
  readonly start: object;
  readonly pieces: readonly object[];
  readonly call: string | null;
  readonly text: string;
  readonly thinking: string | null;
}

const textBlock = piecesOf(anyText).map(
  (pieces): Told => ({
    start: { type: 'text', text: '' },
    pieces: pieces.map((text) => ({ type: 'text_delta', text })),
    call: null,
    text: pieces.join(''),
    thinking: null,
  }),
);
const thinkingBlock = piecesOf(anyText).map(
  (pieces): Told => ({
    start: { type: 'thinking', thinking: '', signature: '' },
    pieces: [
      ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'EqQ=' },
    ],
    call: null,
    text: '',
    thinking: pieces.join(''),
  }),
);
const callBlock = fc.tuple(fc.constantFrom('find', 'send'), piecesOf(argumentsText)).map(
  ([name, pieces]): Told => ({
    start: { type: 'tool_use', id: `toolu_${name}`, name, input: {} },
    pieces: pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    call: `${name} ${pieces.join('')}`,
    text: '',
    thinking: null,
  }),
);
const blocks = fc.array(fc.oneof(textBlock, thinkingBlock, callBlock), { minLength: 1, maxLength: 5 });

const START = {
  type: 'message_start',
  message: { id: 'msg', model: 'm', content: [], usage: { input_tokens: 5, output_tokens: 1 } },
};
const end = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

/** Blocks begin in order; their pieces come in any order of each other, each with its index. */
function body(told: readonly Told[], order: readonly number[]): readonly object[] {
  const starts = told.map(({ start: content_block }, index) => ({
    type: 'content_block_start',
    index,
    content_block,
  }));
  const queues = told.map(({ pieces }, index) => [
    ...pieces.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  return [START, ...starts, ...interleaved(queues, order)];
}
const noise = fc.oneof(
  fc.constantFrom<unknown>(null, 7, 'x', {}, { type: 'ping' }, { type: 'a_new_event', index: 0, delta: {} }),
  fc.record({ type: fc.constant('vendor_note'), data: fc.jsonValue() }),
);

const callsIn = (told: readonly Told[]) => told.flatMap(({ call }) => call ?? []);

describe('the pieces of a reply, however they come', () => {
  it('make the reply that was sent, with thinking that goes back as it came', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, picks, fc.array(noise, { maxLength: 5 }), async (told, order, strange) => {
        const last = await decode([...sprinkled(body(told, order), strange), ...end('tool_use')]);
        if (last.type !== 'response') throw new Error(JSON.stringify(last));
        const { response } = last;
        expect(response.text).toBe(told.map(({ text }) => text).join(''));
        expect(response.calls.map((call) => `${call.tool} ${call.arguments}`)).toEqual(callsIn(told));
        expect(response.usage).toMatchObject({ inputTokens: 5, outputTokens: 9 });
        const kept = JSON.parse(response.raw[0]?.json ?? '{"blocks":[]}') as {
          blocks: { raw?: { thinking: string; signature: string } }[];
        };
        expect(kept.blocks.flatMap(({ raw }) => (raw === undefined ? [] : raw.thinking))).toEqual(
          told.flatMap(({ thinking }) => thinking ?? []),
        );
      }),
    );
  });

  it('that are cut anywhere give no reply', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, picks, fc.nat(), async (told, order, at) => {
        const events = [...body(told, order), ...end('tool_use')];
        expect((await decode(events.slice(0, at % events.length))).type).toBe('failure');
      }),
    );
  });

  it('that the model could not finish are kept as they came, under a word that lets nothing run', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, picks, fc.nat(), async (told, order, at) => {
        const events = body(told, order);
        const last = await decode([...events.slice(0, 1 + (at % events.length)), ...end('max_tokens')]);
        if (last.type !== 'response') throw new Error(JSON.stringify(last));
        expect(last.response.finish.unified).toBe('max_tokens');
        for (const [index, call] of last.response.calls.entries()) {
          expect(callsIn(told)[index]?.startsWith(`${call.tool} ${call.arguments}`)).toBe(true);
        }
      }),
    );
  });

  it('never become a call that may run while a call is still open', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, picks, fc.nat(), async (told, order, at) => {
        const events = body(told, order);
        const kept = events.slice(0, 1 + (at % events.length));
        const last = await decode([...kept, ...end('tool_use')]);
        const isOpen = told.some(
          ({ call }, index) =>
            call !== null &&
            kept.some((event) => 'content_block' in event && 'index' in event && event.index === index) &&
            !kept.some(
              (event) => 'index' in event && event.index === index && Object.keys(event).length === 2,
            ),
        );
        expect(last.type).toBe(isOpen ? 'failure' : 'response');
      }),
    );
  });
});

describe('a reply of any kind', () => {
  const word = fc.constantFrom(
    'end_turn',
    'tool_use',
    'max_tokens',
    'pause_turn',
    'refusal',
    'a_new_word',
    '',
  );

  it('makes a sound history that can be sent, mixed up, doubled or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        blocks,
        picks,
        fc.array(fc.nat(50), { maxLength: 30 }),
        word,
        async (told, order, pick, stop) => {
          const events = body(told, order);
          const mixed = pick.map((index) => events[index % events.length]);
          const last = await decode([...events, ...mixed, ...end(stop)]);
          if (last.type !== 'response') return;
          let ids = 0;
          const calls = last.response.calls.map((call) => {
            ids += 1;
            return { ...call, providerCallId: `call_${ids}` };
          });
          const conversation = continued({ ...last.response, calls });
          expect(historyFault(conversation)).toBeNull();
          const request = {
            choice: context.choice,
            maxOutputTokens: 1,
            instructions: '',
            conversation,
            tools: [],
            toolChoice: 'auto' as const,
          };
          const sent = JSON.parse(encodeMessagesRequest(request, server)) as {
            messages: { role: string; content: { type: string; text?: string }[] }[];
          };
          expect(sent.messages.map(({ role }) => role).join()).toMatch(/^user(,assistant,user)?$/);
          const said = sent.messages.find(({ role }) => role === 'assistant')?.content ?? [];
          expect(said.at(-1)?.type).not.toBe('thinking');
          expect(said.every(({ text }) => text === undefined || text.trim() !== '')).toBe(true);
        },
      ),
    );
  });

  it('never makes the adapter throw, whatever its events hold', async () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), anyText);
    const type = fc.constantFrom(
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'error',
    );
    const delta = fc.record({
      type: fc.constantFrom('text_delta', 'thinking_delta', 'input_json_delta'),
      text: value,
    });
    const event = fc.record(
      {
        type,
        index: fc.oneof(value, fc.nat(1)),
        message: value,
        content_block: fc.oneof(
          value,
          fc.record({ type: fc.constantFrom('text', 'tool_use', 'x'), input: value }),
        ),
        delta: fc.oneof(value, delta),
        usage: value,
        error: value,
      },
      { requiredKeys: ['type'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(value, event), { maxLength: 8 }), async (events) => {
        expect(['response', 'failure']).toContain((await decode(events)).type);
        for (const each of events) {
          const reply = JSON.stringify(each) as JsonText;
          expect(['response', 'failure']).toContain(decodeReply(reply, context).at(-1)?.type);
        }
      }),
    );
  });
});
