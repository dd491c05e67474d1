import type { ModelRequest } from '../../model/conversation.js';
import type { JsonText } from '../../shared/brand.js';
import { called, replied, resultOf, said } from '../../testing/history-fixtures.js';
import { serverName } from '../wire/server-name.js';
import { encodeMessagesRequest } from './encode.js';

const server = serverName('anthropic', 'https://api.anthropic.com');

function bodyText(change: Partial<ModelRequest> = {}): string {
  const request: ModelRequest = {
    choice: { provider: 'anthropic', model: 'claude-opus-5' },
    maxOutputTokens: 50,
    instructions: '',
    conversation: [{ role: 'user', text: 'hello' }],
    tools: [],
    toolChoice: 'auto',
    ...change,
  };
  return encodeMessagesRequest(request, server);
}
const encode = (change: Partial<ModelRequest> = {}) =>
  JSON.parse(bodyText(change)) as Record<string, unknown>;

const raw = (blocks: string, owner = server) =>
  [
    {
      provider: 'anthropic',
      api: 'messages',
      json: `{"server":"${owner}","blocks":[${blocks}]}` as JsonText,
    },
  ] as const;
const THOUGHT = '{"raw":{"type":"thinking", "thinking":"\\u00e9 1.0","signature":"EqQ="}}';

describe('the head of a request', () => {
  it('always asks for a stream, with a bound', () => {
    expect(encode()).toMatchObject({ stream: true, max_tokens: 50, model: 'claude-opus-5' });
    expect(encode()).not.toHaveProperty('system');
    expect(encode({ instructions: 'Be brief.' })).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.' }],
    });
  });

  const tools = [{ name: 'find', description: 'Finds.', parameters: '{"type":"object"}' as JsonText }];

  it('carries tools with a choice, and neither without tools', () => {
    expect(encode()).not.toHaveProperty('tool_choice');
    expect(encode({ tools })).toMatchObject({ tool_choice: { type: 'auto' } });
    expect(encode({ tools, toolChoice: 'required' })).toMatchObject({ tool_choice: { type: 'any' } });
    expect(encode({ tools, toolChoice: { tool: 'find' } })).toMatchObject({
      tool_choice: { type: 'tool', name: 'find' },
    });
  });

  it('keeps the digits of a schema, and leaves out the unions at its top, which are refused', () => {
    const parameters =
      '{"type":"object","properties":{"n":{"maximum":9007199254740993}},"anyOf":[{"required":["n"]}]}' as JsonText;
    const text = bodyText({ tools: [{ name: 'find', description: '', parameters }] });
    expect(text).toContain('"maximum":9007199254740993');
    expect(text).not.toContain('"anyOf":');
  });
});

describe('what is sent again with every turn', () => {
  const tools = [{ name: 'find', description: '', parameters: '{"type":"object"}' as JsonText }];
  const cache_control = { type: 'ephemeral' };
  const conversation = [
    said('x'),
    replied({ calls: [called('a'), called('b')] }),
    resultOf('a'),
    resultOf('b'),
  ];

  it('is marked for the cache: the instructions with the tools before them, and all up to the newest block', () => {
    const body = encode({ instructions: 'i', tools, conversation });
    expect(body).toMatchObject({ system: [{ text: 'i', cache_control }] });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(2);
    expect(body.messages).toMatchObject([{}, {}, { content: [{}, { tool_use_id: 'b', cache_control }] }]);
  });

  it('is not marked without tools, where no turn follows', () => {
    expect(JSON.stringify(encode({ instructions: 'i', conversation }))).not.toContain('cache_control');
  });
});

describe('thinking', () => {
  const asked = (model: string, change: Partial<ModelRequest> = {}) => {
    const choice = { provider: 'anthropic', model, reasoningEffort: 'low', temperature: 1 } as const;
    const { thinking, output_config, temperature } = encode({ choice, maxOutputTokens: 8_000, ...change });
    return { thinking, output_config, temperature };
  };
  const BUDGET = { thinking: { type: 'enabled', budget_tokens: 4_096 } };
  const ADAPTIVE = { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } };

  it.each([
    ['claude-opus-4-6', ADAPTIVE],
    ['claude-opus-5-5', ADAPTIVE],
    ['claude-fable-5', ADAPTIVE],
    ['claude-sonnet-4-5-20250929', BUDGET],
    ['claude-sonnet-4-20250514', BUDGET],
    ['claude-opus-4-1', BUDGET],
    ['anthropic.claude-haiku-4-5-20251001-v1:0', BUDGET],
    ['claude-3-7-sonnet-latest', BUDGET],
  ])('is asked of %s as it takes it, without a temperature', (model, expected) => {
    expect(asked(model)).toEqual(expected);
  });

  it('is left out where it is refused: beside a forced tool, without room, without an effort', () => {
    const tools = [{ name: 'find', description: '', parameters: '{"type":"object"}' as JsonText }];
    const plain = { temperature: 1 };
    expect(asked('claude-opus-5', { tools, toolChoice: 'required' })).toEqual(plain);
    expect(asked('claude-haiku-4-5', { maxOutputTokens: 1_500 })).toEqual(plain);
    expect(encode()).not.toHaveProperty('thinking');
  });

  it('with a budget is left out where the turn under way has none to begin with', () => {
    const turn = (blocks: string, owner = server) => [
      said('hello'),
      replied({ calls: [called('a')], raw: raw(`${blocks}{"call":0}`, owner) }),
      resultOf('a'),
    ];
    const foreign = turn(`${THOUGHT},`, serverName('anthropic', 'https://proxy.example'));
    expect(asked('claude-haiku-4-5', { conversation: turn(`${THOUGHT},`) })).toEqual(BUDGET);
    expect(asked('claude-haiku-4-5', { conversation: foreign })).toEqual({ temperature: 1 });
    expect(asked('claude-haiku-4-5', { conversation: [...foreign, said('go on')] })).toEqual(BUDGET);
    expect(asked('claude-opus-5', { conversation: foreign })).toEqual(ADAPTIVE);
  });
});
