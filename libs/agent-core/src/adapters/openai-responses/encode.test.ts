import fc from 'fast-check';
import type { ConversationItem, ModelRequest } from '../../model/conversation.js';
import type { JsonText } from '../../shared/brand.js';
import { called, replied, resultOf, said } from '../../testing/history-fixtures.js';
import { requests } from '../../testing/requests.js';
import { serverName } from '../wire/server-name.js';
import { encodeResponsesRequest } from './encode.js';

const server = serverName('openai', 'https://api.openai.com/v1');

function bodyText(change: Partial<ModelRequest> = {}): string {
  const request: ModelRequest = {
    choice: { provider: 'openai', model: 'gpt-5' },
    maxOutputTokens: 50,
    instructions: '',
    conversation: [said('hello')],
    tools: [],
    toolChoice: 'auto',
    ...change,
  };
  return encodeResponsesRequest(request, server);
}
const encode = (change: Partial<ModelRequest> = {}) =>
  JSON.parse(bodyText(change)) as { input: Record<string, unknown>[] };
const inputOf = (...conversation: ConversationItem[]) => encode({ conversation }).input;

const raw = (items: string, owner = server) =>
  [
    { provider: 'openai', api: 'responses', json: `{"server":"${owner}","items":[${items}]}` as JsonText },
  ] as const;
const REASONING = '{"id":"rs_1", "type":"reasoning","summary":[],"encrypted_content":"gAAA\\u003d","x":1.0}';
const MESSAGE =
  '{"id":"msg_1","type":"message","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"I look","annotations":[]}]}';
const CALL =
  '{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\\"n\\":1.0}","call_id":"a","name":"find"}';

describe('the head of a request', () => {
  it('keeps nothing at the provider, asks for a stream and bounds it', () => {
    expect(encode()).toMatchObject({ store: false, stream: true, max_output_tokens: 50 });
    expect(encode()).not.toHaveProperty('previous_response_id');
  });

  it.each([
    ['openai', 'gpt-5', true],
    ['openai', 'o4-mini', true],
    ['openai', 'gpt-5.5-2026-04-23', true],
    ['openai', 'gpt-4o', false],
    ['openai', 'ft:gpt-4.1-mini:org', false],
    ['openai', 'gpt-5-chat-latest', false],
    ['openai-compatible', 'gpt-oss', false],
  ] as const)('%s %s is asked for its encrypted reasoning: %s', (provider, model, isAsked) => {
    const body = encode({ choice: { provider, model } });
    if (isAsked) expect(body).toMatchObject({ include: ['reasoning.encrypted_content'] });
    else expect(body).not.toHaveProperty('include');
  });

  it('says temperature, effort and instructions only where there are any', () => {
    for (const name of ['temperature', 'reasoning', 'instructions'])
      expect(encode()).not.toHaveProperty(name);
    const choice = { provider: 'openai', model: 'o3', temperature: 0, reasoningEffort: 'low' } as const;
    expect(encode({ choice, instructions: 'i' })).toMatchObject({
      temperature: 0,
      reasoning: { effort: 'low' },
      instructions: 'i',
    });
  });

  it('carries tools that are not strict, with the digits of their schema, and a choice', () => {
    const parameters = '{"type":"object","properties":{"n":{"maximum":9007199254740993}}}' as JsonText;
    const tools = [{ name: 'find', description: 'Finds.', parameters }];
    expect(encode()).not.toHaveProperty('tool_choice');
    expect(encode({ tools, toolChoice: { tool: 'find' } })).toMatchObject({
      tools: [{ type: 'function', name: 'find', strict: false }],
      tool_choice: { type: 'function', name: 'find' },
    });
    expect(bodyText({ tools })).toContain(`"parameters":${parameters}`);
  });
});

describe('the history', () => {
  it('has messages, calls and results in their order', () => {
    expect(
      inputOf(
        said('x'),
        replied({ text: 'I look', calls: [called('a'), called('b')] }),
        resultOf('a'),
        resultOf('b', ''),
      ),
    ).toEqual([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'I look' },
      { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' },
      { type: 'function_call', call_id: 'b', name: 'find', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'ok' },
      { type: 'function_call_output', call_id: 'b', output: '' },
    ]);
  });

  it('takes ids, names and arguments of any other provider', () => {
    const long = 'x'.repeat(80);
    const [, call, result] = inputOf(
      said('x'),
      replied({ calls: [called(long, 'get.it', '{"n":')] }),
      resultOf(long),
    );
    expect(call).toMatchObject({ name: 'get_it', arguments: '{"unreadable_arguments":"{\\"n\\":"}' });
    expect(call?.call_id).toMatch(/^call_[0-9a-f]{35}$/);
    expect(result?.call_id).toBe(call?.call_id);
  });

  it('keeps NUL and lone surrogates', () => {
    expect(inputOf(said('a\u0000b\ud800c\\ud800 😀'))).toEqual([
      { role: 'user', content: 'a\u0000b\ud800c\\ud800 😀' },
    ]);
  });
});

describe('what only this provider understands', () => {
  const turn = (items: string, owner = server) =>
    replied({ text: 'I look', calls: [called('a', 'find', '{"n":1.0}')], raw: raw(items, owner) });

  it('goes back byte for byte and in order, with the message and the call that it led to', () => {
    const text = bodyText({
      conversation: [said('x'), turn(`${REASONING},${MESSAGE},${CALL}`), resultOf('a')],
    });
    expect(text).toContain(`${REASONING},${MESSAGE},${CALL},{"type":"function_call_output"`);
  });

  it('goes to no other server, provider or api', () => {
    const foreign = serverName('openai', 'https://proxy.example');
    const anthropic = [
      { provider: 'anthropic', api: 'messages', json: '{"server":"s","blocks":[]}' as JsonText },
    ] as const;
    const plain = [
      { role: 'assistant', content: 'I look' },
      { type: 'function_call', call_id: 'a', name: 'find', arguments: '{"n":1.0}' },
    ];
    for (const item of [turn(`${REASONING},${CALL}`, foreign), { ...turn(''), raw: anthropic }]) {
      expect(inputOf(said('x'), item, resultOf('a')).slice(1, 3)).toEqual(plain);
    }
  });

  it('keeps its place beside a call that has our id now', () => {
    const item = { ...turn(`${REASONING},${CALL},${CALL}`), calls: [called('a'), called('tcl_2')] };
    expect(inputOf(said('x'), item, resultOf('a'), resultOf('tcl_2')).slice(1, 4)).toMatchObject([
      { type: 'reasoning' },
      { id: 'fc_1', call_id: 'a' },
      { call_id: 'tcl_2', name: 'find' },
    ]);
  });

  it('keeps its place beside a call whose id is longer than this API takes: both go out under the same one', () => {
    const long = 'x'.repeat(80);
    const item = {
      ...turn(`${REASONING},${CALL.replace('"a"', `"${long}"`)}`),
      calls: [called(long, 'find', '{"n":1.0}')],
    };
    const [, reasoning, call, result] = inputOf(said('x'), item, resultOf(long));
    expect(reasoning?.type).toBe('reasoning');
    expect(call?.call_id).toMatch(/^call_[0-9a-f]{35}$/);
    expect(result?.call_id).toBe(call?.call_id);
  });

  it.each([
    [
      'without its content, as nothing is stored',
      `{"id":"rs_1","type":"reasoning","summary":[]},${MESSAGE}`,
      'message',
    ],
    ['that led to nothing', `${MESSAGE},${REASONING}`, 'message'],
    [
      'that is plain stays',
      `{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"so"}]},${MESSAGE}`,
      'reasoning,message',
    ],
  ])('reasoning %s', (_, items, expected) => {
    const item = replied({ text: 'I look', raw: raw(items) });
    expect(
      inputOf(said('x'), item)
        .slice(1)
        .map(({ type }) => type)
        .join(),
    ).toBe(expected);
  });

  it('is left out where its calls are not those of the turn', () => {
    const item = replied({ text: 'I look', calls: [], raw: raw(`${REASONING},${CALL}`) });
    expect(inputOf(said('x'), item).slice(1)).toEqual([{ role: 'assistant', content: 'I look' }]);
  });
});

it('every call of a request of any kind has its result, in order, under the same id', () => {
  fc.assert(
    fc.property(requests('openai', ['gpt-5', 'gpt-4o']), (request) => {
      const first = encodeResponsesRequest(request, server);
      expect(encodeResponsesRequest(structuredClone(request), server)).toBe(first);
      const { input } = JSON.parse(first) as { input: { type?: string; call_id?: string }[] };
      const ids = (type: string) => input.flatMap((item) => (item.type === type ? item.call_id : []));
      expect(ids('function_call_output')).toEqual(ids('function_call'));
      expect(new Set(ids('function_call')).size).toBe(ids('function_call').length);
    }),
  );
});
