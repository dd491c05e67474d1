import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun } from '../support/definitions.js';
import type { ModelReply } from '../support/model-reply.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { endOf, toolCallsOf } from '../support/runs.js';
import { startToolServer, type ToolServer } from '../support/tool-server.js';
import type { RunStatus } from '../support/wire.js';
import { spokenApis } from './spoken-apis.js';

const json = (body: object, status = 200): ModelReply => ({
  status,
  headers: {},
  body: JSON.stringify(body),
});
const stream = (events: readonly object[]): ModelReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
});

const messages = (content: readonly object[], stop_reason: string, more = {}) =>
  json({
    id: 'msg',
    model: 'm',
    content,
    stop_reason,
    usage: { input_tokens: 5, output_tokens: 2 },
    ...more,
  });
const response = (output: readonly object[], status = 'completed', more = {}) =>
  json({
    object: 'response',
    id: 'r',
    model: 'm',
    status,
    output,
    usage: { input_tokens: 5, output_tokens: 2 },
    ...more,
  });

const TEXT = { type: 'text', text: 'Hi.' };
const USE = { type: 'tool_use', id: 'a', name: 'find', input: { q: 1 } };
const MESSAGE = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] };
const CALL = { type: 'function_call', call_id: 'a', name: 'find', arguments: '{"q":1}' };
const incomplete = (reason: string) => ({ incomplete_details: { reason } });

interface Ending {
  readonly api: string;
  readonly word: string;
  readonly reply: ModelReply;
  readonly status: RunStatus;
  readonly code?: string;
  readonly output: string | null;
}

const endings: readonly Ending[] = [
  {
    api: 'anthropic',
    word: 'end_turn',
    reply: messages([TEXT], 'end_turn'),
    status: 'completed',
    output: 'Hi.',
  },
  {
    api: 'anthropic',
    word: 'max_tokens',
    reply: messages([TEXT, USE], 'max_tokens'),
    status: 'incomplete',
    code: 'max_tokens',
    output: 'Hi.',
  },
  {
    api: 'anthropic',
    word: 'model_context_window_exceeded',
    reply: messages([TEXT], 'model_context_window_exceeded'),
    status: 'incomplete',
    code: 'context_overflow',
    output: 'Hi.',
  },
  {
    api: 'anthropic',
    word: 'refusal',
    reply: messages([USE], 'refusal', { stop_details: { explanation: 'I will not.' } }),
    status: 'refused',
    output: 'I will not.',
  },
  {
    api: 'anthropic',
    word: 'a_new_reason',
    reply: messages([USE], 'a_new_reason'),
    status: 'failed',
    code: 'model_error',
    output: null,
  },
  {
    api: 'openai-responses',
    word: 'completed',
    reply: response([MESSAGE]),
    status: 'completed',
    output: 'Hi.',
  },
  {
    api: 'openai-responses',
    word: 'max_output_tokens',
    reply: response([MESSAGE, CALL], 'incomplete', incomplete('max_output_tokens')),
    status: 'incomplete',
    code: 'max_tokens',
    output: 'Hi.',
  },
  {
    api: 'openai-responses',
    word: 'content_filter',
    reply: response([CALL], 'incomplete', incomplete('content_filter')),
    status: 'refused',
    output: '',
  },
  {
    api: 'openai-responses',
    word: 'a refusal beside a call',
    reply: response([{ type: 'message', content: [{ type: 'refusal', refusal: 'I will not.' }] }, CALL]),
    status: 'refused',
    output: 'I will not.',
  },
  {
    api: 'openai-responses',
    word: 'a_new_status',
    reply: response([CALL], 'a_new_status'),
    status: 'failed',
    code: 'model_error',
    output: null,
  },
];

const spokenBy = (name: string) => {
  const spoken = spokenApis.find((each) => each.name === name);
  if (spoken === undefined) throw new Error(`nobody speaks ${name}`);
  return spoken;
};

describe('how a reply ends decides how the run does', () => {
  let api: Api;
  let tools: ToolServer;
  let model: ModelServer;
  beforeEach(async () => {
    [{ api }, tools, model] = await Promise.all([createTenant(), startToolServer(), startModelServer()]);
    await createTool(api, tools, { name: 'find', effect: 'read' });
  });
  afterEach(() => Promise.all([tools.close(), model.close()]));

  const start = async (name: string, replies: readonly ModelReply[]): Promise<string> => {
    model.play(replies);
    await createAgent(api, { model: await spokenBy(name).choose(api, model), tools: ['find'] });
    return (await startRun(api, { input: 'Hello' })).id;
  };

  test.each(endings)('$api: $word is $status, and nothing runs unless the model was done', async (ending) => {
    const runId = await start(ending.api, [ending.reply]);
    const run = await endOf(api, runId, ending.status);
    expect([run.statusReason?.code, run.output]).toEqual([ending.code, ending.output]);
    expect(run.usage).toMatchObject({ inputTokens: 5, outputTokens: 2, estimated: false });
    expect(tools.requests).toEqual([]);
    expect((await toolCallsOf(api, runId)).every((call) => call.status === 'cancelled')).toBe(true);
  });

  test('anthropic: a paused reply is sent back as it came, and gone on with', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: '1.0' } };
    const runId = await start('anthropic', [
      messages([TEXT, search], 'pause_turn'),
      messages([TEXT], 'end_turn'),
    ]);
    const run = await endOf(api, runId, 'completed');
    expect(run.usage).toMatchObject({ turns: 2, modelCalls: 2 });
    const sent = JSON.parse(model.requests[1]?.rawBody ?? '') as { messages: object[] };
    expect(sent.messages.slice(1)).toEqual([{ role: 'assistant', content: [TEXT, search] }]);
  });

  test.each([
    [
      'anthropic',
      [
        { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1000, output_tokens: 1 } } },
        { type: 'content_block_start', index: 0, content_block: USE },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"q":' } },
      ],
      messages([TEXT], 'end_turn'),
    ],
    [
      'openai-responses',
      [
        { type: 'response.output_item.added', output_index: 0, item: { ...CALL, arguments: '' } },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"q":' },
      ],
      response([MESSAGE]),
    ],
  ] as const)(
    '%s: a stream that breaks within a call runs nothing, books its reservation and is tried again',
    async (name, broken, reply) => {
      const runId = await start(name, [stream(broken), reply]);
      const run = await endOf(api, runId, 'completed');
      expect(run.usage).toMatchObject({ modelCalls: 2, turns: 1, inputTokens: 5, estimated: true });
      expect(Number(run.wasteUsd)).toBeGreaterThan(0);
      expect(tools.requests).toEqual([]);
    },
  );

  test('on a switch of provider what only the first one understands is left out', async () => {
    const thinking = { type: 'thinking', thinking: 'so', signature: 'EqQ=' };
    const refused = json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400);
    const fallback = await startModelServer([response([MESSAGE])]);
    try {
      tools.on('find', async () => ({ status: 200, body: { found: 1 } }));
      model.play([messages([thinking, TEXT, USE], 'tool_use'), refused]);
      await createAgent(api, {
        model: await spokenBy('anthropic').choose(api, model),
        fallbacks: [await spokenBy('openai-responses').choose(api, fallback)],
        tools: ['find'],
      });
      const run = await endOf(api, (await startRun(api, { input: 'Hello' })).id, 'completed');
      expect(run.output).toBe('Hi.');
      const { input } = JSON.parse(fallback.requests[0]?.rawBody ?? '') as { input: object[] };
      expect(input).toEqual([
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi.' },
        { type: 'function_call', call_id: 'a', name: 'find', arguments: '{"q":1}' },
        { type: 'function_call_output', call_id: 'a', output: '{"found":1}' },
      ]);
      expect(model.requests[1]?.rawBody).toContain(JSON.stringify(thinking));
    } finally {
      await fallback.close();
    }
  });
});
