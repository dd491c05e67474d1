import { machineAgent, machineTools } from '@countersign/examples';
import { machineRoutes } from '../../examples/machine/routes.js';
import { SCRIPTED_CASES } from '../../examples/machine/script.js';
import { WIRE_CASES } from '../../examples/machine/wire-cases.js';
import { expectProblem } from '../contract/problem.js';
import { gate } from '../support/gate.js';
import { endOf, messagesOf, resultsOf, toolCallsOf } from '../support/runs.js';
import type { RunStatus, RunView } from '../support/wire.js';
import { type ExampleWorld, openExample } from './example-world.js';

/** What becomes of a case. `events` are those behind run.started; calls as `tool status`. */
interface Expected {
  readonly status: RunStatus;
  readonly code?: string;
  readonly output?: string | null;
  readonly events: string;
  readonly calls?: readonly string[];
  /** Arguments of `look`, as its server saw them. `act` never runs in this scenario. */
  readonly looked?: readonly object[];
}

const REPLY = 'model.responded';
const END = 'run.finished';
const CALL = 'tool.permitted tool.started tool.succeeded';
const BOTH = 'tool.permitted tool.permitted tool.started tool.started tool.succeeded tool.succeeded';
const LOOKED = 'look succeeded';
const CUT = ['act cancelled'];
const DONE = { status: 'completed', output: 'Done.' } as const;

const OF_THE_SCRIPT: Readonly<Record<string, Expected>> = {
  'a final text': { ...DONE, events: `${REPLY} ${END}` },
  'a refusal': { status: 'refused', output: 'I will not do that.', events: `${REPLY} ${END}` },
  'a reply that was cut off': {
    status: 'incomplete',
    code: 'max_tokens',
    output: 'I was about to',
    events: `${REPLY} ${END}`,
  },
  'a reply that was cut off inside a call': {
    status: 'incomplete',
    code: 'max_tokens',
    events: `${REPLY} tool.cancelled ${END}`,
    calls: CUT,
  },
  'a content filter': { status: 'refused', output: 'Well,', events: `${REPLY} ${END}` },
  'a content filter in the middle of a call': {
    status: 'refused',
    events: `${REPLY} tool.cancelled ${END}`,
    calls: CUT,
  },
  'a pause, and on': { ...DONE, events: `${REPLY} ${REPLY} ${END}` },
  'a conversation that is too long': {
    status: 'incomplete',
    code: 'context_overflow',
    events: `model.failed ${END}`,
  },
  'a reply of nothing': { status: 'completed', output: '', events: `${REPLY} ${END}` },
  'calls that were announced and not made': {
    status: 'failed',
    code: 'model_error',
    output: null,
    events: `${REPLY} ${END}`,
  },
};

const ONE = { looked: [{ n: 1, delay_ms: 0 }], calls: [LOOKED] };
const TWO = {
  looked: [
    { n: 1, delay_ms: 200 },
    { n: 2, delay_ms: 0 },
  ],
  calls: [LOOKED, LOOKED],
};

const OF_THE_WIRE: Readonly<Record<string, Expected>> = {
  'asked to wait: 429 with Retry-After': { ...DONE, events: `model.failed ${REPLY} ${END}` },
  'a quota that is used up: 429, and no use in waiting': {
    status: 'failed',
    code: 'model_unavailable',
    events: `model.failed ${END}`,
  },
  'a request that a filter stopped: 400': { status: 'refused', output: null, events: `model.failed ${END}` },
  'a server in trouble: 500': { ...DONE, events: `model.failed ${REPLY} ${END}` },
  'a server in trouble, again and again': {
    status: 'failed',
    code: 'model_unavailable',
    events: `model.failed model.failed model.failed ${END}`,
  },
  'a stream that breaks inside the arguments': {
    ...DONE,
    ...ONE,
    events: `model.failed ${REPLY} ${CALL} ${REPLY} ${END}`,
  },
  'a stream that breaks each time': {
    status: 'failed',
    code: 'model_unavailable',
    events: `model.failed model.failed model.failed ${END}`,
  },
  'fragments of two calls, interleaved': {
    ...DONE,
    events: `${REPLY} ${BOTH} ${REPLY} ${END}`,
    calls: [LOOKED, LOOKED],
    looked: [
      { n: 1, delay_ms: 0 },
      { n: 2, delay_ms: 0 },
    ],
  },
  'a call without an id': { ...DONE, ...ONE, events: `${REPLY} ${CALL} ${REPLY} ${END}` },
  'two calls with the same id': { ...DONE, ...TWO, events: `${REPLY} ${BOTH} ${REPLY} ${END}` },
  'the same id in a later turn': {
    ...DONE,
    events: `${REPLY} ${CALL} ${REPLY} ${CALL} ${REPLY} ${END}`,
    calls: [LOOKED, LOOKED],
    looked: [
      { n: 1, delay_ms: 0 },
      { n: 2, delay_ms: 0 },
    ],
  },
  'results that come out of order': { ...DONE, ...TWO, events: `${REPLY} ${BOTH} ${REPLY} ${END}` },
  'a finish word that nobody knows': {
    status: 'failed',
    code: 'model_error',
    events: `${REPLY} tool.cancelled ${END}`,
    calls: CUT,
  },
  'a content filter in the middle of a call': {
    status: 'refused',
    events: `${REPLY} tool.cancelled ${END}`,
    calls: CUT,
  },
  'a length limit inside the arguments': {
    status: 'incomplete',
    code: 'max_tokens',
    events: `${REPLY} tool.cancelled ${END}`,
    calls: CUT,
  },
  'calls announced, none made': { status: 'failed', code: 'model_error', events: `${REPLY} ${END}` },
  'no text and no calls': { status: 'completed', output: '', events: `${REPLY} ${END}` },
  'a refusal': { status: 'refused', output: 'I will not do that.', events: `${REPLY} ${END}` },
};

let world: ExampleWorld;
beforeAll(async () => {
  world = await openExample({ tools: machineTools, routes: machineRoutes, agent: machineAgent() });
});
afterAll(() => world.close());

/** Plays a case and asserts everything that is expected of it. */
async function prove(agent: string, input: string, expected: Expected): Promise<RunView> {
  const before = world.tools.requests.length;
  const { id } = await world.start(input, { agent });
  const run = await endOf(world.api, id, expected.status);
  expect(run.statusReason?.code).toBe(expected.code);
  if (expected.output !== undefined) expect(run.output).toBe(expected.output);
  const events = await world.api.events(id);
  expect(events.map(({ type }) => type)).toEqual([
    'run.queued',
    'run.started',
    ...expected.events.split(' '),
  ]);
  const calls = await toolCallsOf(world.api, id);
  expect(calls.map(({ tool, status }) => `${tool} ${status}`)).toEqual(expected.calls ?? []);
  const ran = world.tools.requests.slice(before);
  expect(ran.map(({ tool }) => tool)).not.toContain('act');
  const looked = ran.map(({ body }) => body.arguments).sort((a, b) => Number(a.n) - Number(b.n));
  expect(looked).toEqual(expected.looked ?? []);
  // Whatever happened: each call has exactly one result, with its own id, in the order of the calls.
  const messages = await messagesOf(world.api, id);
  const proposed = messages.flatMap((message) => message.calls ?? []).map(({ callId }) => callId);
  expect(messages.flatMap(({ callId }) => callId ?? [])).toEqual(proposed);
  expect(new Set(proposed).size).toBe(proposed.length);
  return run;
}

const playWire = (name: string): Promise<RunView> => {
  world.model.play(WIRE_CASES[name] ?? []);
  return prove('played', name, OF_THE_WIRE[name] as Expected);
};

describe('machine: every case is one that is proved here', () => {
  test('those of the script and those of the wire', () => {
    expect(Object.keys(OF_THE_SCRIPT)).toEqual(Object.keys(SCRIPTED_CASES));
    expect(Object.keys(OF_THE_WIRE)).toEqual(Object.keys(WIRE_CASES));
  });
});

describe('machine: what the model says at the end of a reply', () => {
  test.each(Object.keys(OF_THE_SCRIPT))('%s', async (name) => {
    await prove('machine', name, OF_THE_SCRIPT[name] as Expected);
  });
});

describe('machine: what comes over the wire', () => {
  // Servers in trouble follow one another here: to the breaker of the model that would be one server, failing for long.
  beforeEach(async () => {
    const { data } = await world.api.expect(200, world.api.get<{ data: { id: string }[] }>('/v1/breakers'));
    for (const { id } of data) await world.api.expect(200, world.api.post(`/v1/breakers/${id}/reset`, {}));
  });

  const special = [
    'asked to wait: 429 with Retry-After',
    'a stream that breaks inside the arguments',
    'a call without an id',
    'two calls with the same id',
    'results that come out of order',
  ];
  test.each(Object.keys(OF_THE_WIRE).filter((name) => !special.includes(name)))('%s', async (name) => {
    await playWire(name);
  });

  test('asked to wait: 429 with Retry-After costs nothing and is waited for as long as asked', async () => {
    const run = await playWire('asked to wait: 429 with Retry-After');
    const failed = (await world.api.events(run.id)).find(({ type }) => type === 'model.failed');
    expect(failed?.data).toMatchObject({ code: 'rate_limited', httpStatus: 429, retryAfterMs: 1_000 });
    expect(Number(run.wasteUsd)).toBe(0);
  });

  test('a stream that breaks inside the arguments is a failed attempt: waste, no trace in the conversation', async () => {
    const run = await playWire('a stream that breaks inside the arguments');
    expect(Number(run.wasteUsd)).toBeGreaterThan(0);
    expect(run.usage).toMatchObject({ estimated: true, turns: 2, modelCalls: 3 });
    expect((await messagesOf(world.api, run.id)).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
  });

  test('a call without an id gets ours, in the record and on the wire', async () => {
    const run = await playWire('a call without an id');
    const [call] = await toolCallsOf(world.api, run.id);
    expect(call?.ids.callId).toBe(call?.id);
    expect(world.model.requests.at(-1)?.body.messages.slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: call?.id }] },
      { role: 'tool', tool_call_id: call?.id, content: '{"seen":1}' },
    ]);
  });

  test('two calls with the same id: the second gets ours, and each its own result', async () => {
    const run = await playWire('two calls with the same id');
    const [first, second] = await toolCallsOf(world.api, run.id);
    expect(first?.ids.callId).toBe('call_a');
    expect(second?.ids.callId).toBe(second?.id);
    expect(world.model.requests.at(-1)?.body.messages.slice(-2)).toMatchObject([
      { tool_call_id: 'call_a', content: '{"seen":1}' },
      { tool_call_id: second?.id, content: '{"seen":2}' },
    ]);
  });

  test('results that come out of order go back in the order of the calls', async () => {
    const second = gate();
    world.tools.on('look', async (request) => {
      if (request.body.arguments.n === 2) second.open();
      else await second.opened;
      return world.route('/look')(request);
    });
    const run = await playWire('results that come out of order');
    world.tools.on('look', world.route('/look'));
    const ended = (await world.api.events(run.id)).filter(({ type }) => type === 'tool.succeeded');
    const ids = (await toolCallsOf(world.api, run.id)).map(({ id }) => id);
    expect(ended.map(({ data }) => data.toolCallId)).toEqual([...ids].reverse());
    expect(await resultsOf(world.api, run.id)).toEqual(['{"seen":1}', '{"seen":2}']);
  });
});

test('machine: a result for a call that was not made changes nothing', async () => {
  const run = await playWire('a call without an id');
  const [call] = await toolCallsOf(world.api, run.id);
  const settle = (toolCallId: string) =>
    world.api.post(`/v1/runs/${run.id}/tool-calls/${toolCallId}/outcome`, {
      happened: true,
      output: { seen: 9 },
    });
  expectProblem(await settle(`tcl_${'0'.repeat(26)}`), 404, 'not_found');
  expectProblem(await settle(call?.id ?? ''), 409, 'outcome_not_expected');
  expect(await resultsOf(world.api, run.id)).toEqual(['{"seen":1}']);
  expect((await world.api.get<RunView>(`/v1/runs/${run.id}`)).body.seq).toBe(run.seq);
});
