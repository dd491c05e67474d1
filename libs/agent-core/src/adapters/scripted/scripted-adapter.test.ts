import type { ConversationItem, ModelRequest } from '../../model/conversation.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { Script } from './script.js';
import { createScriptedAdapter } from './scripted-adapter.js';

const access = { apiKey: '', baseUrl: null, fetch: globalThis.fetch };

const request = (model: string, conversation: readonly ConversationItem[] = []): ModelRequest => ({
  choice: { provider: 'scripted', model },
  maxOutputTokens: 100,
  instructions: '',
  conversation,
  tools: [],
  toolChoice: 'auto',
});

async function play(
  scripts: Readonly<Record<string, Script>>,
  asked: ModelRequest,
  signal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of createScriptedAdapter(scripts).prepare(asked, access).send(signal))
    events.push(event);
  return events;
}

const assistant = (...callIds: readonly string[]): ConversationItem => ({
  role: 'assistant',
  text: '',
  calls: callIds.map((callId) => ({ callId, tool: 't', arguments: '{}' })),
  raw: [],
});

describe('a scripted reply', () => {
  it('is a text that ends normally', async () => {
    expect(await play({ hello: () => ({ text: 'hi' }) }, request('hello'))).toMatchObject([
      { type: 'text_delta', text: 'hi' },
      {
        type: 'response',
        response: { text: 'hi', finish: { unified: 'stop', raw: 'stop' }, calls: [], raw: [] },
      },
    ]);
  });

  it('numbers its calls by their position in the conversation', async () => {
    const script: Script = () => ({
      calls: [
        { tool: 'find', arguments: { q: 1 } },
        { tool: 'send', arguments: '{"broken' },
        { tool: 'send', arguments: {}, id: null },
        { tool: 'send', arguments: {}, id: 'mine' },
      ],
    });
    const events = await play({ s: script }, request('s', [assistant('call_1', 'x'), assistant('call_3')]));
    expect(events.at(-1)).toMatchObject({
      response: {
        finish: { unified: 'tool_calls' },
        calls: [
          { providerCallId: 'call_4', tool: 'find', arguments: '{"q":1}' },
          { providerCallId: 'call_5', tool: 'send', arguments: '{"broken' },
          { providerCallId: null },
          { providerCallId: 'mine' },
        ],
      },
    });
    expect(events.filter((event) => event.type === 'call_delta')).toHaveLength(4);
  });

  it('costs the same each time, by its bytes, unless it says otherwise', async () => {
    const scripts: Record<string, Script> = { s: () => ({ text: 'hello' }), none: () => ({ usage: null }) };
    const [first, second] = [await play(scripts, request('s')), await play(scripts, request('s'))];
    expect(first).toEqual(second);
    const { requestBytes } = createScriptedAdapter({}).prepare(request('s'), access);
    expect(first.at(-1)).toMatchObject({
      response: { usage: { inputTokens: Math.ceil(requestBytes / 4), outputTokens: 2 } },
    });
    expect((await play(scripts, request('none'))).at(-1)).toMatchObject({ response: { usage: null } });
  });

  it('may be a refusal, another ending, or pieces', async () => {
    const scripts: Record<string, Script> = {
      refuses: () => ({ refusal: 'no' }),
      cut: () => ({ text: 'half', finish: 'max_tokens' }),
      pieces: () => ({ deltas: ['a', 'b'] }),
    };
    expect((await play(scripts, request('refuses'))).at(-1)).toMatchObject({
      response: { refusal: 'no', finish: { unified: 'refusal' } },
    });
    expect((await play(scripts, request('cut'))).at(-1)).toMatchObject({
      response: { finish: { unified: 'max_tokens' } },
    });
    expect(await play(scripts, request('pieces'))).toMatchObject([
      { text: 'a' },
      { text: 'b' },
      { response: { text: 'ab' } },
    ]);
  });

  it('may be a failure', async () => {
    const script: Script = () => ({ failure: { code: 'rate_limited', status: 429, retryAfterMs: 5 } });
    expect(await play({ s: script }, request('s'))).toMatchObject([
      {
        type: 'failure',
        failure: { code: 'rate_limited', status: 429, neverSent: false, retryAfterMs: 5, usage: null },
      },
    ]);
  });

  it('never throws: neither a missing script nor one that throws', async () => {
    const broken: Script = () => {
      throw new Error('broken script');
    };
    const failure = { code: 'bad_request', neverSent: true };
    expect(await play({}, request('toString'))).toMatchObject([{ type: 'failure', failure }]);
    expect(await play({ broken }, request('broken'))).toMatchObject([
      { type: 'failure', failure: { ...failure, message: 'broken script' } },
    ]);
  });

  it('is given up with its signal, while the model thinks too', async () => {
    const controller = new AbortController();
    const script: Script = () => {
      queueMicrotask(() => controller.abort());
      return { text: 'late', delayMs: 600_000 };
    };
    expect(await play({ s: script }, request('s'), controller.signal)).toMatchObject([
      { type: 'failure', failure: { code: 'aborted' } },
    ]);
  });
});

describe('a request to a script', () => {
  it('has a digest and bytes of everything in it', () => {
    const adapter = createScriptedAdapter({});
    const digest = (asked: ModelRequest) => adapter.prepare(asked, access).requestDigest;
    expect(digest(request('s'))).toBe(digest(request('s')));
    expect(digest(request('s', [assistant('a')]))).not.toBe(digest(request('s', [assistant('b')])));
    expect(digest({ ...request('s'), instructions: 'x' })).not.toBe(digest(request('s')));
  });

  it('is kept only where that was asked for', async () => {
    for (const record of [true, false]) {
      const adapter = createScriptedAdapter({ s: () => ({ text: 'hi' }) }, { record });
      for await (const _ of adapter.prepare(request('s'), access).send(new AbortController().signal));
      expect(adapter.requests).toEqual(record ? [request('s')] : []);
    }
  });
});

describe('the script in a conversation', () => {
  const user = (text: string): ConversationItem => ({ role: 'user', text });
  const script = user(
    '{"turns":[{"calls":[{"tool":"find","arguments":{"n":9007199254740993}}],"repeat":2},{"text":"done"}]}',
  );
  const last = async (...conversation: readonly ConversationItem[]) =>
    (await play({}, request('inline', conversation))).at(-1);

  it('plays the turn that its assistant items have come to', async () => {
    const call = { response: { calls: [{ tool: 'find', arguments: '{"n":9007199254740993}' }] } };
    expect(await last(script)).toMatchObject(call);
    expect(await last(script, assistant('call_1'))).toMatchObject(call);
    expect(await last(script, assistant('call_1'), assistant('call_2'))).toMatchObject({
      response: { text: 'done' },
    });
  });

  it('is the last one: a thread may hold an earlier, played one', async () => {
    const next = user('{"turns":[{"text":"again"}]}');
    expect(await last(script, assistant('call_1'), next)).toMatchObject({ response: { text: 'again' } });
  });

  it('passes over words of a user that are no script', async () => {
    expect(
      await last(user('{"turns":[{"text":"a"},{"text":"b"}]}'), assistant(), user('go on')),
    ).toMatchObject({
      response: { text: 'b' },
    });
  });

  it.each([
    ['hello', 'no user message holds a script'],
    ['{"turns":', 'the script is no JSON'],
    ['{"turns":[{"txt":"x"}]}', 'the script cannot be read'],
    ['{"turns":[{"text":"x"}],"more":1}', 'the script cannot be read'],
  ])('that is %j fails and says why', async (text, message) => {
    expect(await last(user(text))).toMatchObject({
      failure: { code: 'bad_request', message: expect.stringContaining(message) },
    });
  });

  it('fails at its end', async () => {
    expect(await last(user('{"turns":[{"text":"x"}]}'), assistant())).toMatchObject({
      failure: { message: 'the script has 1 turns, and all of them were played' },
    });
  });
});
