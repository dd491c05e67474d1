import type { ConversationItem, ModelRequest } from '../../model/conversation.js';
import type { JsonText } from '../../shared/brand.js';
import { serverName } from '../wire/server-name.js';
import { encodeChatRequest } from './encode.js';

const server = serverName('openai-compatible', 'https://models.example/v1');
const json = (text: string) => text as JsonText;

function encode(change: Partial<ModelRequest> = {}) {
  const request: ModelRequest = {
    choice: { provider: 'openai-compatible', model: 'm' },
    maxOutputTokens: 50,
    instructions: '',
    conversation: [{ role: 'user', text: 'hello' }],
    tools: [],
    toolChoice: 'auto',
    ...change,
  };
  return JSON.parse(encodeChatRequest(request, server)) as { messages: unknown[]; tools?: unknown[] };
}

const assistant = (item: Partial<Extract<ConversationItem, { role: 'assistant' }>>): ConversationItem => ({
  role: 'assistant',
  text: '',
  calls: [],
  raw: [],
  ...item,
});

const call = (callId: string, tool: string, text: string) => ({ callId, tool, arguments: text });

describe('the head of a request', () => {
  it('names the output limit as each kind of server takes it', () => {
    expect(encode()).toMatchObject({ max_tokens: 50 });
    const openai = encode({ choice: { provider: 'openai', model: 'm' } });
    expect(openai).toMatchObject({ max_completion_tokens: 50 });
    expect(openai).not.toHaveProperty('max_tokens');
  });

  it('always asks for a stream with usage', () => {
    expect(encode()).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('says temperature and effort only where the choice does', () => {
    expect(encode()).not.toHaveProperty('temperature');
    expect(encode()).not.toHaveProperty('reasoning_effort');
    const choice = { provider: 'openai', model: 'm', temperature: 0, reasoningEffort: 'low' } as const;
    expect(encode({ choice })).toMatchObject({ temperature: 0, reasoning_effort: 'low' });
  });

  it('has no system message without instructions', () => {
    expect(encode().messages).toEqual([{ role: 'user', content: 'hello' }]);
    expect(encode({ instructions: 'Be brief.' }).messages[0]).toEqual({
      role: 'system',
      content: 'Be brief.',
    });
  });
});

describe('tools', () => {
  const tool = (parameters: string) => ({
    name: 'find',
    description: 'Finds.',
    parameters: json(parameters),
  });
  const parametersOf = (text: string, provider: 'openai' | 'openai-compatible' = 'openai') => {
    const encoded = encode({ choice: { provider, model: 'm' }, tools: [tool(text)] });
    const [first] = encoded.tools as [{ function: { parameters: unknown } }];
    return first.function.parameters;
  };

  it('are left out with their choice where there are none', () => {
    expect(encode()).not.toHaveProperty('tools');
    expect(encode()).not.toHaveProperty('tool_choice');
  });

  it('carry a choice', () => {
    const tools = [tool('{"type":"object","properties":{}}')];
    expect(encode({ tools })).toMatchObject({ tool_choice: 'auto' });
    expect(encode({ tools, toolChoice: 'required' })).toMatchObject({ tool_choice: 'required' });
    const named = { type: 'function', function: { name: 'find' } };
    expect(encode({ tools, toolChoice: { tool: 'find' } })).toMatchObject({ tool_choice: named });
  });

  it('keep the digits of their schema', () => {
    const parameters = '{"type":"object","properties":{"n":{"type":"integer","maximum":9007199254740993}}}';
    const request: ModelRequest = {
      choice: { provider: 'openai', model: 'm' },
      maxOutputTokens: 1,
      instructions: '',
      conversation: [],
      tools: [tool(parameters), tool(`{"anyOf":[],${parameters.slice(1)}`)],
      toolChoice: 'auto',
    };
    expect(encodeChatRequest(request, server).match(/9007199254740993/g)).toHaveLength(2);
  });

  it('always have properties, as OpenAI refuses an object without', () => {
    expect(parametersOf('{"type":"object"}')).toEqual({ type: 'object', properties: {} });
  });

  it('lose the unions at the top that OpenAI refuses, and lose them nowhere else', () => {
    const schema =
      '{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]}},"anyOf":[{"required":["a"]}]}';
    const inner = { a: { anyOf: [{ type: 'string' }] } };
    expect(parametersOf(schema)).toEqual({
      type: 'object',
      properties: inner,
      description: '(anyOf: [{"required":["a"]}])',
    });
    expect(parametersOf(schema, 'openai-compatible')).toEqual(JSON.parse(schema));
  });
});

describe('the history', () => {
  it('has calls with their ids and exactly their results, in order', () => {
    const conversation: ConversationItem[] = [
      assistant({ calls: [call('a', 'find', '{"q":1}'), call('b', 'send', '{}')] }),
      { role: 'tool', callId: 'a', tool: 'find', text: '[]', isError: false },
      { role: 'tool', callId: 'b', tool: 'send', text: 'denied', isError: true },
    ];
    expect(encode({ conversation }).messages).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'find', arguments: '{"q":1}' } },
          { id: 'b', type: 'function', function: { name: 'send', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '[]' },
      { role: 'tool', tool_call_id: 'b', content: 'denied' },
    ]);
  });

  it('never holds an empty message of the assistant', () => {
    expect(encode({ conversation: [assistant({})] }).messages).toEqual([]);
    expect(encode({ conversation: [assistant({ text: 'hi' })] }).messages).toEqual([
      { role: 'assistant', content: 'hi' },
    ]);
  });

  it.each([
    ['', '{}'],
    ['  ', '{}'],
    ['{"n":9007199254740993}', '{"n":9007199254740993}'],
    ['{"n":1', '{"unreadable_arguments":"{\\"n\\":1"}'],
    ['[1]', '{"unreadable_arguments":"[1]"}'],
  ])('is accepted by servers that parse it: arguments %j go back as %j', (text, expected) => {
    const { messages } = encode({ conversation: [assistant({ calls: [call('a', 'find', text)] })] });
    expect(messages).toMatchObject([{ tool_calls: [{ function: { arguments: expected } }] }]);
  });

  it('is accepted whatever the model called', () => {
    const { messages } = encode({
      conversation: [assistant({ calls: [call('a', 'get.weather now', '{}'), call('b', '', '{}')] })],
    });
    expect(messages).toMatchObject([
      { tool_calls: [{ function: { name: 'get_weather_now' } }, { function: { name: 'unnamed' } }] },
    ]);
  });

  it('is accepted after a fallback: a long id becomes a short one, the same in call and result', () => {
    const long = `chatcmpl-tool-${'0'.repeat(32)}`;
    const { messages } = encode({
      conversation: [
        assistant({ calls: [call(long, 'find', '{}')] }),
        { role: 'tool', callId: long, tool: 'find', text: '1', isError: false },
      ],
    });
    const [first, second] = messages as [{ tool_calls: { id: string }[] }, { tool_call_id: string }];
    expect(second.tool_call_id).toMatch(/^call_[0-9a-f]{35}$/);
    expect(first.tool_calls[0]?.id).toBe(second.tool_call_id);
  });

  it('keeps NUL and lone surrogates', () => {
    const text = 'a\u0000b\ud800c\\ud800 😀';
    expect(encode({ conversation: [{ role: 'user', text }] }).messages).toEqual([
      { role: 'user', content: text },
    ]);
  });
});

describe('what a server wants to see again', () => {
  const fields =
    '{"message":{"reasoning_content":"because"},"calls":[{"extra_content":{"google":{"s":"x"}}}]';
  const rawOf = (owner: string) => [
    { provider: 'openai-compatible' as const, api: 'chat', json: json(`${fields},"server":"${owner}"}`) },
  ];
  const calls = [call('a', 'find', '{}')];

  it('goes back to it, in the message and in its calls', () => {
    expect(encode({ conversation: [assistant({ calls, raw: rawOf(server) })] }).messages).toMatchObject([
      { reasoning_content: 'because', tool_calls: [{ id: 'a', extra_content: { google: { s: 'x' } } }] },
    ]);
  });

  it('goes to no other server, provider or api', () => {
    const other = serverName('openai-compatible', 'https://other.example/v1');
    const anthropic = { provider: 'anthropic', api: 'messages', json: json('{"server":"x"}') } as const;
    for (const raw of [rawOf(other), rawOf(serverName('openai', 'https://models.example/v1')), [anthropic]]) {
      const text = JSON.stringify(encode({ conversation: [assistant({ calls, raw })] }));
      expect(text).not.toMatch(/because|extra_content|server/);
    }
  });
});

describe('equal requests', () => {
  it('have equal bytes, whether an item was encoded before or is a new object', () => {
    const items = () => [
      { role: 'user', text: 'x' } as const,
      assistant({ calls: [call('a', 'find', '{"q":1}')] }),
    ];
    const request = (conversation: readonly ConversationItem[]): ModelRequest => ({
      choice: { provider: 'openai', model: 'm' },
      maxOutputTokens: 1,
      instructions: 'i',
      conversation,
      tools: [],
      toolChoice: 'auto',
    });
    const kept = items();
    const first = encodeChatRequest(request(kept), server);
    expect(encodeChatRequest(request(kept), server)).toBe(first);
    expect(encodeChatRequest(request(items()), server)).toBe(first);
  });
});
