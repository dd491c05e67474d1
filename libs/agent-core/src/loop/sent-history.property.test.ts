import fc from 'fast-check';
import type { ModelRequest } from '../model/conversation.js';
import type { ModelResponse } from '../model/model-event.js';
import type { JsonText } from '../shared/brand.js';
import { askLocally, bodyOf } from '../testing/ask-adapter.js';
import { type CallStream, callStreams, type StreamedCall, THOUGHT } from '../testing/call-streams.js';
import { reply, tool } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { sentFault } from '../testing/sent-calls.js';

const tools = ['find', '9lives'].map((name) =>
  tool(name, 'read', { fresh: true, parameters: '{"type":"object"}' as JsonText }),
);

/** Missing, doubled (within a turn and from turn to turn), too long, and in letters that not every API takes. */
const id = fc.constantFrom(null, '', 'call_0', 'call_1', 'functions.find:0', 'a b\né', 'x'.repeat(80));
/** Tools, and what a model made up. */
const name = fc.constantFrom(
  ...['find', '9lives', '_9lives', 'delete', 'find.all', 'default_api:find', '-', '', 'é', 'n'.repeat(200)],
);
const calls: fc.Arbitrary<readonly StreamedCall[]> = fc.array(
  fc.record({ id, name, pieces: fc.constant(['{}']) }),
  { minLength: 1, maxLength: 3 },
);

/** A reply as the provider streams it, read by its adapter. */
async function replied(stream: CallStream, list: readonly StreamedCall[]): Promise<ModelResponse> {
  const events = [...stream.begin, ...list.flatMap(stream.call), ...stream.end];
  const request: ModelRequest = {
    choice: stream.choice,
    maxOutputTokens: 10,
    instructions: '',
    conversation: [{ role: 'user', text: 'Hello' }],
    tools,
    toolChoice: 'auto',
  };
  const head = { status: 200, headers: { 'content-type': 'text/event-stream' } };
  const question = { adapter: stream.adapter, request };
  const last = (await askLocally(question, head, [Buffer.from(events.join(''))])).at(-1);
  if (last?.type !== 'response') throw new Error(JSON.stringify(last));
  return last.response;
}

/** What goes out to a provider for each request of a run in which models said this. */
async function bodiesOf(replies: readonly ModelResponse[], to: CallStream): Promise<readonly string[]> {
  const world = new LoopWorld({ tools, replies: [...replies, reply({ text: 'Done.' })] });
  await world.work();
  expect(world.asked.length).toBeGreaterThan(1);
  const requests = world.asked.map((asked) => ({ ...asked, choice: to.choice, maxOutputTokens: 10 }));
  return Promise.all(requests.map((request) => bodyOf({ adapter: to.adapter, request })));
}

describe('what goes out to a provider', () => {
  const turn = fc.record({ stream: fc.constantFrom(...callStreams), list: calls });

  it.each(callStreams)('holds to $name one result for each call, under an id of its own', async (to) => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
        const replies = await Promise.all(turns.map(({ stream, list }) => replied(stream, list)));
        for (const body of await bodiesOf(replies, to)) expect(sentFault(body, to)).toBeNull();
      }),
    );
  });

  it.each(callStreams)('holds to $name its own thoughts, and those of nobody else', async (to) => {
    await fc.assert(
      fc.asyncProperty(turn, async ({ stream, list }) => {
        const bodies = await bodiesOf([await replied(stream, list)], to);
        expect(bodies.at(-1)?.includes(THOUGHT)).toBe(stream === to);
      }),
    );
  });
});
