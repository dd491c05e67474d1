import { chunk, piece, refusedWith, streamed, type WireReply } from './wire-reply.js';

const DONE = streamed([chunk({ content: 'Done.' })], 'stop');
const LOOK = streamed([piece({ index: 0, id: 'call_a', name: 'look', arguments: '{"n":1}' })], 'tool_calls');

/** Two calls whose pieces come in turns. */
const INTERLEAVED = streamed(
  [
    piece({ index: 0, id: 'call_a', name: 'look' }),
    piece({ index: 1, id: 'call_b', name: 'look' }),
    piece({ index: 0, arguments: '{"n"' }),
    piece({ index: 1, arguments: '{"n":' }),
    piece({ index: 0, arguments: ':1}' }),
    piece({ index: 1, arguments: '2}' }),
  ],
  'tool_calls',
);

/** Cut in the middle of the arguments of a call that must not run. */
const BROKEN: WireReply = {
  pieces: [chunk({ role: 'assistant' }), piece({ index: 0, id: 'call_a', name: 'act', arguments: '{"n":' })],
  end: 'break',
};

const twoLooks = (first: object, second: object): WireReply =>
  streamed(
    [
      piece({ index: 0, name: 'look', arguments: '{"n":1,"delay_ms":200}', ...first }),
      piece({ index: 1, name: 'look', arguments: '{"n":2}', ...second }),
    ],
    'tool_calls',
  );

/** What a model's server answers, request by request, where the wire decides what becomes of a run. */
export const WIRE_CASES: Readonly<Record<string, readonly WireReply[]>> = {
  'asked to wait: 429 with Retry-After': [
    refusedWith(429, 'rate_limit_exceeded', { 'retry-after': '1' }),
    DONE,
  ],
  'a quota that is used up: 429, and no use in waiting': [refusedWith(429, 'insufficient_quota')],
  'a request that a filter stopped: 400': [refusedWith(400, 'content_filter')],
  'a server in trouble: 500': [refusedWith(500, 'server_error'), DONE],
  'a server in trouble, again and again': [1, 2, 3].map(() => refusedWith(503, 'overloaded')),
  'a stream that breaks inside the arguments': [BROKEN, LOOK, DONE],
  'a stream that breaks each time': [BROKEN, BROKEN, BROKEN],
  'fragments of two calls, interleaved': [INTERLEAVED, DONE],
  'a call without an id': [
    streamed([piece({ index: 0, name: 'look', arguments: '{"n":1}' })], 'tool_calls'),
    DONE,
  ],
  'two calls with the same id': [twoLooks({ id: 'call_a' }, { id: 'call_a' }), DONE],
  'the same id in a later turn': [
    LOOK,
    streamed([piece({ index: 0, id: 'call_a', name: 'look', arguments: '{"n":2}' })], 'tool_calls'),
    DONE,
  ],
  'results that come out of order': [twoLooks({ id: 'call_a' }, { id: 'call_b' }), DONE],
  'a finish word that nobody knows': [
    streamed([piece({ index: 0, id: 'call_a', name: 'act', arguments: '{"n":1}' })], 'because'),
  ],
  'a content filter in the middle of a call': [
    streamed([piece({ index: 0, id: 'call_a', name: 'act', arguments: '{"n":1}' })], 'content_filter'),
  ],
  'a length limit inside the arguments': [
    streamed([piece({ index: 0, id: 'call_a', name: 'act', arguments: '{"n":' })], 'length'),
  ],
  'calls announced, none made': [streamed([], 'tool_calls')],
  'no text and no calls': [streamed([], 'stop')],
  'a refusal': [streamed([chunk({ refusal: 'I will not do that.' })], 'stop')],
};
