import fc from 'fast-check';
import type { ConversationItem, ModelRequest } from '../../model/conversation.js';
import type { JsonText } from '../../shared/brand.js';
import { called, replied, resultOf, said } from '../../testing/history-fixtures.js';
import { requests } from '../../testing/requests.js';
import { serverName } from '../wire/server-name.js';
import { encodeMessagesRequest } from './encode.js';

const server = serverName('anthropic', 'https://api.anthropic.com');

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
}

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
const messages = (...conversation: ConversationItem[]) =>
  (JSON.parse(bodyText({ conversation })) as Body).messages;

const raw = (blocks: string, owner = server) =>
  [
    {
      provider: 'anthropic',
      api: 'messages',
      json: `{"server":"${owner}","blocks":[${blocks}]}` as JsonText,
    },
  ] as const;
const THOUGHT = '{"raw":{"type":"thinking", "thinking":"\\u00e9 1.0","signature":"EqQ="}}';

describe('the history', () => {
  it('has results first in the message of the user, in order, and what the user said after them', () => {
    expect(
      messages(
        said('hello'),
        replied({ calls: [called('a'), called('b')] }),
        resultOf('a'),
        resultOf('b', 'no', true),
        said('x'),
        said('y'),
      ),
    ).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'find', input: {} },
          { type: 'tool_use', id: 'b', name: 'find', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'ok' },
          { type: 'tool_result', tool_use_id: 'b', content: 'no', is_error: true },
          { type: 'text', text: 'x' },
          { type: 'text', text: 'y' },
        ],
      },
    ]);
  });

  it('keeps the digits of arguments, and puts what is no object inside one', () => {
    const text = bodyText({
      conversation: [
        said('x'),
        replied({
          calls: [
            called('a', 'f', '{"n":9007199254740993,"x":1.0}'),
            called('b', 'f', '{"n":'),
            called('c', 'f', ''),
          ],
        }),
        ...['a', 'b', 'c'].map((id) => resultOf(id)),
      ],
    });
    expect(text).toContain('"input":{"n":9007199254740993,"x":1.0}');
    expect(text).toContain('"input":{"unreadable_arguments":"{\\"n\\":"}');
    expect(text).toContain('"input":{}');
  });

  it('keeps emoji of arguments; a lone surrogate, for which the request is refused, is replaced', () => {
    const text = bodyText({
      conversation: [
        said('x'),
        replied({
          calls: [
            called('a', 'f', '{"n":1.0,"s":"\\ud83d\\ude00 \\ud800","\\udc00":"\\\\ud800"}'),
            called('b', 'f', '{"n":"\ud800'),
          ],
        }),
        ...['a', 'b'].map((id) => resultOf(id)),
      ],
    });
    expect(text).toContain('"input":{"n":1.0,"s":"😀 \ufffd","\ufffd":"\\\\ud800"}');
    expect(text).toContain('"input":{"unreadable_arguments":"{\\"n\\":\\"\ufffd"}');
  });

  it('takes ids and names of any other provider', () => {
    const [, turn, answered] = messages(
      said('x'),
      replied({ calls: [called('functions.find:0', 'get.it now'), called('x'.repeat(80), '')] }),
      resultOf('functions.find:0'),
      resultOf('x'.repeat(80)),
    );
    const [first, second] = turn?.content ?? [];
    expect(first).toMatchObject({ id: expect.stringMatching(/^call_[0-9a-f]{35}$/), name: 'get_it_now' });
    expect(second).toMatchObject({ name: 'unnamed' });
    expect(answered?.content.map((block) => block.tool_use_id)).toEqual([first?.id, second?.id]);
  });

  it('has no blank text, no result of blank text, and no message without content', () => {
    const found = messages(
      said(' \n'),
      replied({ text: ' ' }),
      said('x'),
      replied({ text: '\t', calls: [called('a')] }),
      resultOf('a', ' '),
    );
    expect(found.map(({ role, content }) => [role, content.map(({ type }) => type)])).toEqual([
      ['user', ['text', 'text']],
      ['assistant', ['tool_use']],
      ['user', ['tool_result']],
    ]);
    expect(JSON.stringify(found)).not.toContain('"text":" ');
  });

  it('keeps emoji, NUL and a literal backslash-u; a lone surrogate, which is refused, is replaced', () => {
    const [first] = messages(said('😀\u0000\\ud800 a\ud800b'), said('x'));
    expect(first?.content[0]?.text).toBe('😀\u0000\\ud800 a\ufffdb');
    expect(bodyText({ conversation: [said('a\ud800')] })).not.toContain('ud800');
  });

  it('begins and ends with the user, except where a paused reply is gone on with', () => {
    expect(messages(replied({ text: 'hi' })).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const search = '{"raw":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}}';
    const paused = replied({ text: 'hi', raw: raw(`{"text":2},${search}`) });
    expect(messages(said('x'), paused).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messages(said('x'), paused, paused)[1]?.content).toHaveLength(4);
  });
});

describe('what only Anthropic understands', () => {
  const turn = (owner = server) =>
    replied({
      text: 'one two',
      calls: [called('a')],
      raw: raw(`${THOUGHT},{"text":4},${THOUGHT},{"text":3},{"call":0}`, owner),
    });

  it('goes back byte for byte, in its place', () => {
    const text = bodyText({ conversation: [said('x'), turn(), resultOf('a')] });
    const thought = '{"type":"thinking", "thinking":"\\u00e9 1.0","signature":"EqQ="}';
    expect(text).toContain(
      `[${thought},{"type":"text","text":"one "},${thought},{"type":"text","text":"two"},{"type":"tool_use","id":"a"`,
    );
  });

  it('goes to no other server, provider or api', () => {
    const others = [
      turn(serverName('anthropic', 'https://proxy.example')),
      replied({
        text: 'one two',
        calls: [called('a')],
        raw: [{ provider: 'openai', api: 'responses', json: '{"server":"s"}' as JsonText }],
      }),
    ];
    for (const other of others) {
      expect(messages(said('x'), other, resultOf('a'))[1]?.content).toEqual([
        { type: 'text', text: 'one two' },
        { type: 'tool_use', id: 'a', name: 'find', input: {} },
      ]);
    }
  });

  it('is left out where it does not fit the words and calls beside it', () => {
    const spoilt = [
      `${THOUGHT},{"text":5},{"call":0}`,
      `${THOUGHT},{"text":7}`,
      `${THOUGHT},{"text":7},{"call":1}`,
    ];
    for (const blocks of spoilt) {
      const item = replied({ text: 'one two', calls: [called('a')], raw: raw(blocks) });
      expect(messages(said('x'), item, resultOf('a'))[1]?.content.map(({ type }) => type)).toEqual([
        'text',
        'tool_use',
      ]);
    }
  });

  it('counts although it looks empty, and is dropped where it was cut before its signature', () => {
    const empty = '{"raw":{"type":"thinking","thinking":"","signature":"EqQ="}}';
    const cut = '{"raw":{"type":"thinking","thinking":"I was","signature":""}}';
    const redacted = '{"raw":{"type":"redacted_thinking","data":"x"}}';
    const item = replied({ text: 'hi', raw: raw(`${empty},${redacted},${cut},{"text":2}`) });
    expect(messages(said('x'), item, said('y'))[1]?.content.map(({ type }) => type)).toEqual([
      'thinking',
      'redacted_thinking',
      'text',
    ]);
  });

  it('never ends a message: a reply that was cut while it thought says what came before', () => {
    expect(messages(said('x'), replied({ raw: raw(THOUGHT) }), said('y'))).toHaveLength(1);
    const item = replied({ text: 'hi', raw: raw(`{"text":2},${THOUGHT}`) });
    expect(messages(said('x'), item, said('y'))[1]?.content.map(({ type }) => type)).toEqual(['text']);
  });
});

describe('a request of any kind', () => {
  it('is in turn, with each call answered at once, in order, before any text, and nothing blank', () => {
    fc.assert(
      fc.property(requests('anthropic', ['claude-haiku-4-5', 'claude-opus-5']), (request) => {
        const body = JSON.parse(encodeMessagesRequest(request, server)) as Body;
        const roles = body.messages.map(({ role }) => role);
        expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
        expect(roles.at(-1)).toBe('user');
        for (const [index, { content }] of body.messages.entries()) {
          const asked = (body.messages[index - 1]?.content ?? []).flatMap(({ type, id }) =>
            type === 'tool_use' ? id : [],
          );
          const answered = content.slice(0, asked.length).map((block) => block.tool_use_id);
          expect(answered).toEqual(asked);
          expect(content.slice(asked.length).every(({ type }) => type !== 'tool_result')).toBe(true);
          expect(content.length).toBeGreaterThan(0);
          expect(content.every(({ text }) => text === undefined || text.trim() !== '')).toBe(true);
        }
      }),
    );
  });

  it('has equal bytes whether its items were encoded before or are new objects', () => {
    fc.assert(
      fc.property(requests('anthropic', ['claude-opus-5']), (request) => {
        const first = encodeMessagesRequest(request, server);
        expect(encodeMessagesRequest(request, server)).toBe(first);
        expect(encodeMessagesRequest(structuredClone(request), server)).toBe(first);
      }),
    );
  });
});
