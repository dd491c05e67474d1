import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationItem, ModelRequest } from '../../../model/conversation.js';
import type { ModelResponse } from '../../../model/model-event.js';
import { describeRecorded } from '../../../testing/describe-recorded.js';
import { readJsonFile } from '../../../testing/wire-data.js';
import { createGenerateContentAdapter } from './adapter.js';
import { NO_SIGNATURE } from './model-turn.js';

interface Loop {
  readonly steps: readonly {
    readonly request: { readonly body: { readonly contents: readonly Content[] } };
    readonly request_facts: { readonly signatures_sent_back: number };
    readonly response: { readonly status: number; readonly content_type: string; readonly body: unknown };
  }[];
}

interface Content {
  readonly role: string;
  readonly parts: readonly Part[];
}

interface Part {
  readonly text?: string;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: unknown };
  readonly functionResponse?: { readonly id?: string; readonly name: string; readonly response: object };
}

/** What a reply becomes in the history, with the ids that the recorded client made up for its calls. */
function assistantItem(response: ModelResponse, { parts }: Content): ConversationItem {
  const ids = parts.flatMap((part) => part.functionCall?.id ?? []);
  const calls = response.calls.map((call, index) => ({
    callId: ids[index] ?? '',
    tool: call.tool,
    arguments: call.arguments,
  }));
  return { role: 'assistant', text: response.text, calls, raw: response.raw };
}

function otherItems({ parts }: Content): readonly ConversationItem[] {
  return parts.map(({ text, functionResponse: result }) =>
    result === undefined
      ? { role: 'user', text: text ?? '' }
      : {
          role: 'tool',
          callId: result.id ?? '',
          tool: result.name,
          text: JSON.stringify(result.response),
          isError: false,
        },
  );
}

/** What both say alike: who speaks, the texts, the calls and the results. */
function told(contents: readonly Content[]): readonly unknown[] {
  return contents.flatMap(({ role, parts }) =>
    parts.flatMap(({ text, functionCall: call, functionResponse: result }) => {
      if (call !== undefined) return { role, call: call.name, args: call.args };
      if (result === undefined) return text === '' || text === undefined ? [] : { role, text };
      const { output = JSON.stringify(result.response) } = result.response as { output?: string };
      return { role, result: result.name, output };
    }),
  );
}

function signatures(contents: readonly Content[]): readonly string[] {
  return contents.flatMap(({ parts }) => parts.flatMap((part) => part.thoughtSignature ?? []));
}

/** Those of a reply; a reply of an old model has none and gets Google's placeholder. */
function givenSignatures({ raw, calls }: ModelResponse): readonly string[] {
  const found = raw.flatMap(({ json }) =>
    signatures([{ role: 'model', ...(JSON.parse(json) as Pick<Content, 'parts'>) }]),
  );
  return found.length === 0 && calls.length > 0 ? [NO_SIGNATURE] : found;
}

async function exchange(
  { response }: Loop['steps'][number],
  conversation: readonly ConversationItem[],
): Promise<{ readonly sent: readonly Content[]; readonly response: ModelResponse }> {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent.push(String(init?.body));
    const { status, content_type: type, body } = response;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, { status, headers: { 'content-type': type } });
  };
  const request: ModelRequest = {
    choice: { provider: 'google', model: 'gemini-3-pro' },
    maxOutputTokens: 1,
    instructions: '',
    conversation,
    tools: [],
    toolChoice: 'auto',
  };
  const call = createGenerateContentAdapter().prepare(request, { apiKey: 'k', baseUrl: 'http://x', fetch });
  for await (const event of call.send(new AbortController().signal)) {
    if (event.type !== 'response') continue;
    const { contents } = JSON.parse(sent[0] ?? '') as { contents: readonly Content[] };
    return { sent: contents, response: event.response };
  }
  throw new Error('no response');
}

describeRecorded('recorded loops', (folder) => {
  const loops = join(folder, 'wire/loops/gemini');
  const names = readdirSync(loops).sort();

  it.each(names)('%s: each request carries calls, results and signatures as recorded', async (name) => {
    const loop = readJsonFile<Loop>(join(loops, name));
    const conversation: ConversationItem[] = [];
    const given: string[] = [];
    let known = 0;
    let response: ModelResponse | null = null;
    for (const step of loop.steps) {
      const { contents } = step.request.body;
      for (const content of contents.slice(known)) {
        if (content.role !== 'model') conversation.push(...otherItems(content));
        else if (response !== null) conversation.push(assistantItem(response, content));
      }
      known = contents.length;
      const next = await exchange(step, conversation);
      expect(told(next.sent)).toEqual(told(contents));
      const back = signatures(next.sent);
      expect(back.length).toBeGreaterThanOrEqual(step.request_facts.signatures_sent_back);
      // Byte for byte what the replies held: the recorded client wrote them in another alphabet.
      expect(back).toEqual(given);
      response = next.response;
      given.push(...givenSignatures(next.response));
    }
  });
});
