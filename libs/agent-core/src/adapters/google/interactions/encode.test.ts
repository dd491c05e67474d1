import { GoogleGenAI } from '@google/genai';
import type { ConversationItem, ModelRequest } from '../../../model/conversation.js';
import type { JsonText } from '../../../shared/brand.js';
import { bodyOf as bodyOfRequest } from '../../../testing/ask-adapter.js';
import { called, replied, resultOf, said } from '../../../testing/history-fixtures.js';
import { createInteractionsAdapter } from './adapter.js';

const adapter = createInteractionsAdapter();

const request = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  choice: { provider: 'google', api: 'interactions', model: 'gemini-3-pro' },
  maxOutputTokens: 100,
  instructions: '',
  conversation: [{ role: 'user', text: 'hello' }],
  tools: [],
  toolChoice: 'auto',
  ...change,
});

const bodyOf = (change: Partial<ModelRequest>) => bodyOfRequest({ adapter, request: request(change) });

describe('a request', () => {
  const turn = (raw: readonly object[], callId = 'tcl_1') =>
    [
      { role: 'user', text: 'q \ud800' },
      {
        role: 'assistant',
        text: 'said',
        calls: [{ callId, tool: '9pay', arguments: '{"n":9007199254740993}' }],
        raw: raw as never,
      },
      { role: 'tool', callId, tool: '9pay', text: 'paid', isError: true },
    ] satisfies readonly ConversationItem[];
  const steps =
    '[{"type":"thought","signature":"s=="},{"type":"function_call","id":"g1","name":"_9pay","arguments":{"n":1.0}}]';
  const tools = [
    {
      name: '9pay',
      description: 'Pays.',
      parameters: '{"type":"object","properties":{"n":{"type":"integer"}}}' as JsonText,
    },
  ];

  it('goes to its own path, stores nothing, and carries the whole conversation', async () => {
    const body = await bodyOf({
      conversation: turn([]),
      tools,
      toolChoice: { tool: '9pay' },
      instructions: 'Be.',
    });
    expect(body).toBe(
      '{"model":"gemini-3-pro","input":[{"type":"user_input","content":[{"type":"text","text":"q \ufffd"}]},{"type":"model_output","content":[{"type":"text","text":"said"}]},{"type":"function_call","id":"tcl_1","name":"_9pay","arguments":{"n":9007199254740993}},{"type":"function_result","call_id":"tcl_1","name":"_9pay","is_error":true,"result":"paid"}],"system_instruction":"Be.","tools":[{"type":"function","name":"_9pay","description":"Pays.","parameters":{"type":"object","properties":{"n":{"type":"integer"}}}}],"generation_config":{"max_output_tokens":100,"tool_choice":{"allowed_tools":{"mode":"any","tools":["_9pay"]}}},"store":false,"stream":true}',
    );
  });

  it('sends its own steps back byte for byte, and the results under the ids that Google gave', async () => {
    const raw = [{ provider: 'google', api: 'interactions', json: `{"steps":${steps}}` }];
    const body = await bodyOf({ conversation: turn(raw, 'g1'), tools });
    expect(body).toContain(`${steps.slice(1, -1)},{"type":"function_result","call_id":"g1","name":"_9pay"`);
    for (const other of [
      { provider: 'google', api: 'generateContent' },
      { provider: 'openai', api: 'interactions' },
    ]) {
      const sent = await bodyOf({ conversation: turn([{ ...other, json: `{"steps":${steps}}` }]) });
      expect(sent).not.toContain('s==');
    }
  });

  it('has our ids where Google gave none or one twice, and names that it takes, beside the thoughts as they came', async () => {
    const thought = '{"type":"thought","signature":"s=="}';
    const came = [
      '{"type":"function_call","id":"g1","name":"find","arguments":{"n":1.0}}',
      '{"type":"function_call","id":"g1","name":"find.all","arguments":{}}',
      '{"type":"function_call","name":""}',
    ];
    const json = `{"steps":[${[thought, ...came].join(',')}]}` as JsonText;
    const calls = [called('g1'), called('tcl_2', 'find.all'), called('tcl_3', '', '7')];
    const body = await bodyOf({
      conversation: [
        said('q'),
        replied({ calls, raw: [{ provider: 'google', api: 'interactions', json }] }),
        ...calls.map(({ callId, tool }) => ({ ...resultOf(callId), tool })),
      ],
    });
    expect(body).toContain(
      [
        thought,
        came[0],
        '{"type":"function_call","id":"tcl_2","name":"find_all","arguments":{}}',
        '{"type":"function_call","name":"unnamed","id":"tcl_3","arguments":{"unreadable_arguments":"7"}}',
        '{"type":"function_result","call_id":"g1","name":"find","result":"ok"}',
        '{"type":"function_result","call_id":"tcl_2","name":"find_all","result":"ok"}',
        '{"type":"function_result","call_id":"tcl_3","name":"unnamed","result":"ok"}',
      ].join(','),
    );
  });

  it('is one that the SDK itself would send', async () => {
    const change = {
      conversation: turn([]).map((item) => (item.role === 'user' ? { ...item, text: 'q' } : item)),
      tools,
      toolChoice: 'required' as const,
      instructions: 'Be.',
      choice: { provider: 'google', model: 'gemini-3-pro', reasoningEffort: 'LOW', temperature: 0 } as const,
    };
    const body = JSON.parse((await bodyOf(change)).replace('9007199254740993', '7')) as Record<
      string,
      unknown
    >;
    const sent: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      const asked = input as Request;
      sent.push({ path: new URL(asked.url).pathname, body: await asked.json() });
      const headers = { 'content-type': 'text/event-stream' };
      return new Response('data: {"event_type":"interaction.completed"}\n\n', { headers });
    };
    const sdk = new GoogleGenAI({
      apiKey: 'k',
      vertexai: false,
      httpOptions: { baseUrl: 'http://x', fetch },
    });
    await sdk.interactions.create(body as never);
    expect(sent).toEqual([{ path: '/v1beta/interactions', body }]);
  });
});
