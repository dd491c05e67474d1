import { assistantAgent, assistantTools } from '@countersign/examples';
import { assistantRoutes } from '../../examples/assistant/routes.js';
import { createTool } from '../support/definitions.js';
import { openEventStream, readUntil } from '../support/event-stream.js';
import { gate } from '../support/gate.js';
import type { Completion } from '../support/model-reply.js';
import { endOf, messagesOf, resultsOf, toolCallsOf } from '../support/runs.js';
import { type ExampleWorld, openExample } from './example-world.js';

const THREE_AT_ONCE = "What day is it, how much is 150 * 3, and what's the weather in Bogotá?";
const MADRID = '{"city":"Madrid","unit":"celsius","temperature":18,"sky":"clear"}';

let world: ExampleWorld;
beforeEach(async () => {
  world = await openExample({
    tools: assistantTools,
    routes: assistantRoutes(() => new Date('2026-10-02T12:00:00Z')),
    agent: assistantAgent(),
  });
});
afterEach(() => world.close());

const weather = (city: string): Completion => ({ calls: [{ tool: 'get_weather', arguments: { city } }] });
/** Plays these replies of the model, and answers the run once it has ended. */
const play = async (
  replies: readonly Completion[],
  status: 'completed' | 'failed' = 'completed',
  more = {},
) => {
  world.model.play(replies);
  const { id } = await world.start('Go on.', { agent: 'played', ...more });
  return endOf(world.api, id, status);
};

describe('assistant: several calls in one turn', () => {
  test('three calls, three results with ids of their own in the order of the calls, two model calls', async () => {
    const run = await endOf(world.api, (await world.start(THREE_AT_ONCE)).id, 'completed');
    expect(await messagesOf(world.api, run.id)).toEqual([
      { role: 'user', content: THREE_AT_ONCE },
      {
        role: 'assistant',
        content: '',
        calls: [
          { callId: 'call_1', tool: 'get_date', arguments: '{}' },
          { callId: 'call_2', tool: 'calculator', arguments: '{"expression":"150 * 3"}' },
          { callId: 'call_3', tool: 'get_weather', arguments: '{"city":"Bogotá"}' },
        ],
      },
      heard('call_1', 'get_date', '{"date":"2026-10-02","weekday":"Friday"}'),
      heard('call_2', 'calculator', '{"result":"450"}'),
      heard(
        'call_3',
        'get_weather',
        '{"city":"Bogotá","unit":"celsius","temperature":14,"sky":"light rain"}',
      ),
      {
        role: 'assistant',
        content: 'Today is Friday, 2026-10-02. The sum is 450. In Bogotá it is 14 °C, light rain.',
      },
    ]);
    expect(run.usage).toMatchObject({
      turns: 2,
      modelCalls: 2,
      toolCalls: 3,
      toolsUsed: ['get_date', 'calculator', 'get_weather'],
      messages: 6,
    });
    const keys = (await toolCallsOf(world.api, run.id)).map(({ ids }) => ids.callId);
    expect(keys).toEqual(['call_1', 'call_2', 'call_3']);
  });

  test('they run side by side: none has to end before the last has begun', async () => {
    const begun: string[] = [];
    const [all, others] = [gate(), gate()];
    const ended: string[] = [];
    for (const tool of ['get_date', 'calculator', 'get_weather']) {
      world.tools.on(tool, async (request) => {
        begun.push(tool);
        if (begun.length === 3) all.open();
        await all.opened;
        // The first of the calls ends last.
        if (tool === 'get_date') await others.opened;
        ended.push(tool);
        if (ended.length === 2) others.open();
        return world.route(`/${tool}`)(request);
      });
    }
    const run = await endOf(world.api, (await world.start(THREE_AT_ONCE)).id, 'completed');
    expect(ended.at(-1)).toBe('get_date');
    const results = (await messagesOf(world.api, run.id)).filter(({ role }) => role === 'tool');
    expect(results.map(({ tool }) => tool)).toEqual(['get_date', 'calculator', 'get_weather']);
  });

  test('one answer as part of the next question: three turns, one after another', async () => {
    const question = 'Temperature in Madrid times 3';
    const run = await endOf(world.api, (await world.start(question)).id, 'completed');
    expect(await messagesOf(world.api, run.id)).toEqual([
      { role: 'user', content: question },
      said('call_1', 'get_weather', '{"city":"Madrid"}'),
      heard('call_1', 'get_weather', MADRID),
      said('call_2', 'calculator', '{"expression":"18 * 3"}'),
      heard('call_2', 'calculator', '{"result":"54"}'),
      { role: 'assistant', content: '18 °C times 3 is 54.' },
    ]);
    expect(run.usage).toMatchObject({ turns: 3, modelCalls: 3, toolCalls: 2 });
  });

  test('who watches is told which tool is being prepared, before the call is there', async () => {
    const mayEnd = gate();
    const chunk = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const named = (index: number, id: string, name: string) =>
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '{' } }] });
    const rest = (index: number, text: string) =>
      chunk({ tool_calls: [{ index, function: { arguments: text } }] });
    const opened = gate();
    world.model.play((_, index) =>
      index > 0
        ? { text: 'Done.' }
        : {
            pieces: [
              opened.opened,
              named(0, 'a', 'get_date'),
              named(1, 'b', 'get_weather'),
              mayEnd.opened,
              rest(1, '"city":"Madrid"}'),
              rest(0, '}'),
              chunk({}, 'tool_calls'),
              'data: [DONE]\n\n',
            ],
            end: 'close',
          },
    );
    const { id } = await world.start('Go on.', { agent: 'played' });
    const stream = await openEventStream(world.api, `/v1/runs/${id}/events`);
    // Live text is passed on from where the stored events end: the last of them must have been read.
    await readUntil(stream, ({ event }) => event === 'run.started');
    opened.open();
    const seen = await readUntil(stream, ({ data }) => data.includes('get_weather'));
    expect(seen.filter(({ event }) => event === 'delta')).toEqual([
      { id: null, event: 'delta', data: '{"turn":1,"index":0,"tool":"get_date"}' },
      { id: null, event: 'delta', data: '{"turn":1,"index":1,"tool":"get_weather"}' },
    ]);
    expect(await toolCallsOf(world.api, id)).toEqual([]);
    mayEnd.open();
    await endOf(world.api, id, 'completed');
    stream.close();
  });
});

describe('assistant: tools in trouble', () => {
  test('a tool that returns nothing gives a result that is not empty', async () => {
    world.tools.on('get_weather', () => ({ status: 204 }));
    const { id } = await play([weather('Madrid'), { text: 'No answer.' }]);
    expect(await resultsOf(world.api, id)).toEqual(['The tool ran and answered without content.']);
  });

  test('a tool that fails twice and then works is asked again within the call', async () => {
    let asked = 0;
    world.tools.on('get_weather', (request) => {
      asked += 1;
      return asked < 3 ? { status: 503 } : world.route('/get_weather')(request);
    });
    const { id } = await play([weather('Madrid'), { text: 'Clear.' }]);
    expect(await toolCallsOf(world.api, id)).toMatchObject([{ status: 'succeeded', attempts: 3 }]);
    expect(await resultsOf(world.api, id)).toEqual([MADRID]);
  });

  test('a tool that fails three times running is closed in this run: the model is told, other tools go on', async () => {
    world.tools.on('get_weather', () => ({ status: 404, body: { detail: 'The station is gone.' } }));
    const sum: Completion = { calls: [{ tool: 'calculator', arguments: { expression: '1 + 1' } }] };
    const { id } = await play([
      weather('Madrid'),
      weather('Oslo'),
      weather('Lima'),
      weather('Rome'),
      sum,
      { text: 'No weather today.' },
    ]);
    const failure = 'The tool answered 404: The station is gone.';
    expect(await resultsOf(world.api, id)).toEqual([
      failure,
      failure,
      `${failure}\n"get_weather" has now failed 3 times in a row and is closed for the rest of this run. ` +
        'Do not call it again: go on with the other tools, or say what is missing.',
      '"get_weather" failed 3 times in a row, so it is closed for the rest of this run. Nothing was run. ' +
        'Go on with the other tools, or say what is missing.',
      '{"result":"2"}',
    ]);
    expect((await toolCallsOf(world.api, id)).map(({ status }) => status)).toEqual([
      'failed',
      'failed',
      'failed',
      'denied',
      'succeeded',
    ]);
    expect((await toolCallsOf(world.api, id)).at(3)).toMatchObject({
      error: { code: 'tool_disabled' },
      checks: { registered: 'stopped' },
    });
    expect(world.tools.calls('get_weather')).toHaveLength(3);
    // A new run begins anew.
    world.tools.on('get_weather', world.route('/get_weather'));
    const next = await play([weather('Madrid'), { text: 'Clear.' }]);
    expect(await resultsOf(world.api, next.id)).toEqual([MADRID]);
  });

  test("a sum that the calculator refuses is the model's mistake, however often", async () => {
    const wrong = (expression: string): Completion => ({
      calls: [{ tool: 'calculator', arguments: { expression } }],
    });
    const { id } = await play([wrong('1 / 0'), wrong('1 +'), wrong('(1'), wrong('1 + 1'), { text: 'Two.' }]);
    expect(await resultsOf(world.api, id)).toEqual([
      'The tool answered 422: expression: divides by zero',
      'The tool answered 422: expression: ends too early',
      'The tool answered 422: expression: ends too early',
      '{"result":"2"}',
    ]);
  });

  test('nothing but a sum reaches the calculator', async () => {
    const { id } = await play([
      { calls: [{ tool: 'calculator', arguments: { expression: 'process.exit(1)' } }] },
      { text: 'No.' },
    ]);
    expect((await resultsOf(world.api, id))[0]).toMatch(/^The arguments are not valid: expression/);
    expect(world.tools.calls('calculator')).toEqual([]);
  });
});

describe('assistant: the same call again', () => {
  test('is answered from the record, up to maxRepeats, then the run ends no_progress', async () => {
    const run = await play(
      Array.from({ length: 4 }, () => weather('Madrid')),
      'failed',
    );
    expect(run.statusReason?.code).toBe('no_progress');
    const calls = await toolCallsOf(world.api, run.id);
    const first = calls[0]?.id;
    expect(calls.map(({ status, replayOf, attempts }) => ({ status, replayOf, attempts }))).toEqual([
      { status: 'succeeded', replayOf: null, attempts: 1 },
      { status: 'succeeded', replayOf: first, attempts: 0 },
      { status: 'succeeded', replayOf: first, attempts: 0 },
      { status: 'cancelled', replayOf: null, attempts: 0 },
    ]);
    expect((await resultsOf(world.api, run.id)).slice(0, 3)).toEqual([MADRID, MADRID, MADRID]);
    expect(world.tools.calls('get_weather')).toHaveLength(1);
  });

  test('runs anew after an effect has settled', async () => {
    await createTool(world.api, world.tools, { name: 'seed_clouds', effect: 'idempotent' });
    world.tools.on('seed_clouds', () => ({ status: 200, body: { seeded: true } }));
    await world.api.expect(
      200,
      world.api.put('/v1/policy', { rules: [{ tool: 'seed_clouds', action: 'allow' }] }),
    );
    const { name: _, ...agent } = assistantAgent();
    const played = { ...agent, tools: ['get_weather', 'seed_clouds'] };
    const { model } = await world.api.expect(200, world.api.get<{ model: object }>('/v1/agents/played'));
    await world.api.expect(200, world.api.put('/v1/agents/played', { ...played, model }));
    const { id } = await play([
      weather('Madrid'),
      weather('Madrid'),
      { calls: [{ tool: 'seed_clouds', arguments: {} }] },
      weather('Madrid'),
      { text: 'It may rain.' },
    ]);
    const calls = await toolCallsOf(world.api, id);
    expect(calls.map(({ replayOf }) => replayOf)).toEqual([null, calls[0]?.id, null, null]);
    expect(world.tools.calls('get_weather')).toHaveLength(2);
  });
});

function said(callId: string, tool: string, args: string) {
  return { role: 'assistant', content: '', calls: [{ callId, tool, arguments: args }] };
}

function heard(callId: string, tool: string, content: string) {
  return { role: 'tool', callId, tool, isError: false, content };
}
