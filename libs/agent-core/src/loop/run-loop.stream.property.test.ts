import fc from 'fast-check';
import { historyFault } from '../model/check-history.js';
import type { ModelRequest } from '../model/conversation.js';
import { conversationOf } from '../run/conversation.js';
import type { JsonText } from '../shared/brand.js';
import { equalityText } from '../shared/canonical-json.js';
import { readJson } from '../shared/json.js';
import { askLocally } from '../testing/ask-adapter.js';
import { type CallStream, callStreams, type StreamedCall } from '../testing/call-streams.js';
import { reply, tool } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { argumentsText, interleaved, picks, piecesOf, sprinkled } from '../testing/stream-pieces.js';

/** Read anew each time, so that every call runs, an equal one too. */
const tools = ['find', 'send'].map((name) =>
  tool(name, 'read', { fresh: true, parameters: '{"type":"object"}' as JsonText }),
);

const calls: fc.Arbitrary<readonly StreamedCall[]> = fc
  .array(fc.record({ name: fc.constantFrom('find', 'send'), pieces: piecesOf(argumentsText) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((list) => list.map((each, index) => ({ id: `call_${index}`, ...each })));
const strange = fc.array(
  fc.oneof(
    fc.constantFrom(': ping\n\n', 'event: ping\ndata: {"type":"ping"}\n\n', 'retry: 5\n\n', 'id: 7\n\n'),
    fc.jsonValue().map((value) => `data: ${JSON.stringify({ type: 'vendor.note', note: value })}\n\n`),
    fc.jsonValue().map((value) => `event: news\ndata: ${JSON.stringify({ type: 'news', value })}\n\n`),
  ),
  { maxLength: 4 },
);
/** Where the bytes are split, as parts of the whole. */
const splits = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });

/** The events of these calls: each begins in order, the rest of them come in turns. */
function eventsOf(
  stream: CallStream,
  list: readonly StreamedCall[],
  order: readonly number[],
): readonly string[] {
  const queues = list.map(stream.call);
  const firsts = queues.flatMap(([first]) => first ?? []);
  const rests = queues.map((queue) => queue.slice(1));
  return [...stream.begin, ...firsts, ...interleaved(rests, order)];
}

/** A run whose model sends these bytes, then something else: what it did, once it has ended. */
async function play(stream: CallStream, bytes: Buffer, parts: readonly number[]): Promise<LoopWorld> {
  const request: ModelRequest = {
    choice: stream.choice,
    maxOutputTokens: 10,
    instructions: '',
    conversation: [{ role: 'user', text: 'Hello' }],
    tools: [],
    toolChoice: 'auto',
  };
  const places = [0, ...parts.map((part) => Math.floor(part * bytes.length)).sort((a, b) => a - b)];
  const pieces = places.map((place, index) => bytes.subarray(place, places[index + 1] ?? bytes.length));
  const headers = { 'content-type': 'text/event-stream' };
  const events = await askLocally({ adapter: stream.adapter, request }, { status: 200, headers }, pieces);
  const last = events.at(-1);
  if (last?.type === 'text_delta' || last?.type === 'call_delta' || last === undefined) {
    throw new Error('a reply has no end');
  }
  // Nobody waits in a test: a failed attempt is followed by the next at once.
  const first =
    last.type === 'response' ? last.response : { ...last, failure: { ...last.failure, retryAfterMs: 0 } };
  const world = new LoopWorld({
    tools,
    replies: [first, reply({ text: 'Done.' }), reply({ text: 'Done.' })],
  });
  await world.work();
  expect(world.run.status.name).toBe('finished');
  for (const { conversation } of world.asked) expect(historyFault(conversation)).toBeNull();
  expect(historyFault(conversationOf(world.run, []))).toBeNull();
  return world;
}

const meant = (name: string, text: string) => `${name} ${equalityText(readJson(text as JsonText))}`;
const told = (list: readonly StreamedCall[]) => list.map(({ name, pieces }) => meant(name, pieces.join('')));
const ran = (world: LoopWorld) => world.performed.map(({ call, arguments: text }) => meant(call.tool, text));

describe.each(callStreams)('calls streamed by $name', (stream) => {
  it('run as they were sent, in whatever turns their pieces come and whatever stands between', async () => {
    await fc.assert(
      fc.asyncProperty(calls, picks, strange, splits, async (list, order, notes, parts) => {
        const events = [...sprinkled(eventsOf(stream, list, order), notes), ...stream.end];
        const world = await play(stream, Buffer.from(events.join('')), parts);
        expect(ran(world).sort()).toEqual(told(list).sort());
      }),
    );
  });

  it('that are cut anywhere run never, or as they were sent where nothing but the very end is missing', async () => {
    await fc.assert(
      fc.asyncProperty(
        calls,
        picks,
        strange,
        splits,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (list, order, notes, parts, part) => {
          const body = Buffer.from(sprinkled(eventsOf(stream, list, order), notes).join(''));
          const all = Buffer.concat([body, Buffer.from(stream.end.join(''))]);
          const length = Math.floor(part * all.length);
          const world = await play(stream, all.subarray(0, length), parts);
          const did = ran(world).sort();
          if (length <= body.length) expect(did).toEqual([]);
          else expect([[], told(list).sort()]).toContainEqual(did);
        },
      ),
    );
  });

  it('that are doubled, missing or mixed up leave a sound history, and run with whole arguments or not at all', async () => {
    const places = fc.array(fc.nat(50), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        calls,
        picks,
        strange,
        splits,
        places,
        fc.boolean(),
        async (list, order, notes, parts, again, isMore) => {
          const events = eventsOf(stream, list, order);
          const mixed = again.map((place) => events[place % events.length] ?? '');
          const sent = [...sprinkled(isMore ? [...events, ...mixed] : mixed, notes), ...stream.end];
          const world = await play(stream, Buffer.from(sent.join('')), parts);
          for (const { arguments: text } of world.performed) {
            expect(typeof JSON.parse(text)).toBe('object');
          }
        },
      ),
    );
  });
});
