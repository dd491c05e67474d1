import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, type ModelPrice } from '../budget/price.js';
import type { ModelRequest } from '../model/conversation.js';
import type { Usage } from '../model/model-event.js';
import { askLocally } from '../testing/ask-adapter.js';
import { describeRecorded } from '../testing/describe-recorded.js';
import { readJsonFile, wireReplies } from '../testing/wire-data.js';
import { createAnthropicMessagesAdapter } from './anthropic-messages/index.js';
import { createGenerateContentAdapter } from './google/index.js';
import { createOpenAiChatAdapter } from './openai-chat/index.js';
import { createOpenAiResponsesAdapter } from './openai-responses/index.js';

/**
 * What every recorded reply used and cost, reckoned here from the provider's own object, by the provider's own rule of
 * what is part of what, apart from the adapters and in whole numbers.
 */

type Counts = Readonly<Record<string, number | null | undefined>>;

/** Buckets that no token is in twice: each is billed by its own rate. */
interface Buckets {
  readonly fresh: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  readonly reasoning: number;
  /** As the provider says it; null: it says none. */
  readonly total: number | null;
}

const at = (usage: unknown, ...names: readonly string[]): number => {
  let value: unknown = usage;
  for (const name of names) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'number' ? value : 0;
};

/** What was cached is part of the prompt, reasoning of the completion; what the total has beyond both was thought and not said. */
function openAi(usage: unknown, input: string, output: string): Buckets {
  const cached = at(usage, `${input}_details`, 'cached_tokens');
  const reasoning = at(usage, `${output}_details`, 'reasoning_tokens');
  const total = at(usage, 'total_tokens');
  const fresh = at(usage, input) - cached;
  return { fresh, cached, written: 0, output: total - fresh - cached - reasoning, reasoning, total };
}

/** Three counts of input beside each other; thinking is part of the output. */
function anthropic(usage: unknown): Buckets {
  const reasoning = at(usage, 'output_tokens_details', 'thinking_tokens');
  return {
    fresh: at(usage, 'input_tokens'),
    cached: at(usage, 'cache_read_input_tokens'),
    written: at(usage, 'cache_creation_input_tokens'),
    output: at(usage, 'output_tokens') - reasoning,
    reasoning,
    total: null,
  };
}

/** What was cached is part of the prompt; what tools of the provider read, and thoughts, stand beside. */
function gemini(usage: unknown): Buckets {
  const cached = at(usage, 'cachedContentTokenCount');
  return {
    fresh: at(usage, 'promptTokenCount') + at(usage, 'toolUsePromptTokenCount') - cached,
    cached,
    written: 0,
    output: at(usage, 'candidatesTokenCount'),
    reasoning: at(usage, 'thoughtsTokenCount'),
    total: at(usage, 'totalTokenCount'),
  };
}

const APIS = {
  'openai-chat': {
    adapter: createOpenAiChatAdapter(),
    member: 'usage',
    rule: (usage: unknown) => openAi(usage, 'prompt_tokens', 'completion_tokens'),
  },
  'openai-responses': {
    adapter: createOpenAiResponsesAdapter(),
    member: 'usage',
    rule: (usage: unknown) => openAi(usage, 'input_tokens', 'output_tokens'),
  },
  anthropic: { adapter: createAnthropicMessagesAdapter(), member: 'usage', rule: anthropic },
  gemini: { adapter: createGenerateContentAdapter(), member: 'usageMetadata', rule: gemini },
} as const;

/** Every usage object in a document, wherever it stands, in order. */
function usagesIn(value: unknown, member: string): readonly Counts[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === member && typeof inner === 'object' && inner !== null
      ? [inner as Counts]
      : usagesIn(inner, member),
  );
}

/** The last word of a reply on its usage: of a stream later counts replace earlier ones. Null: it says nothing. */
function lastWord(body: string, member: string): Counts | null {
  const documents = body.trimStart().startsWith('{')
    ? [body]
    : body.split('\n').flatMap((line) => (/^data: *\{/.test(line) ? [line.slice(5)] : []));
  const usages = documents.flatMap((document) => usagesIn(JSON.parse(document), member));
  const said = usages.map((usage) => Object.entries(usage).filter(([, count]) => count !== null));
  return usages.length === 0 ? null : Object.fromEntries(said.flat());
}

const PRICE: ModelPrice = {
  version: 'test',
  inputPerMTok: '3',
  cachedInputPerMTok: '0.375',
  cacheWritePerMTok: '3.75',
  outputPerMTok: '15.0625',
};

/** In ten thousandths of a millionth of a dollar for each million tokens: what is a whole number for each rate above. */
function costOfBuckets({ fresh, cached, written, output, reasoning }: Buckets): string {
  const units =
    BigInt(fresh) * 30_000n +
    BigInt(cached) * 3_750n +
    BigInt(written) * 37_500n +
    BigInt(output + reasoning) * 150_625n;
  const digits = units.toString().padStart(11, '0');
  const [whole, fraction] = [digits.slice(0, -10), digits.slice(-10)];
  return `${whole}.${fraction.slice(0, 6)}${fraction.slice(6).replace(/0+$/, '')}`;
}

interface Recorded {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body: string;
}

/** Single replies, and each reply of the loops of several steps. */
function recordedReplies(folder: string, api: string): readonly Recorded[] {
  const single = wireReplies(folder, api).map(({ id, body, ...rest }) => ({
    ...rest,
    name: id,
    body: body.toString('utf8'),
  }));
  const loops = join(folder, 'wire/loops', api);
  const steps = readdirSync(loops).flatMap((file) =>
    readJsonFile<Loop>(join(loops, file)).steps.map(({ response }, index) => ({
      name: `${file} ${index + 1}`,
      status: response.status,
      headers: { 'content-type': response.content_type },
      body: typeof response.body === 'string' ? response.body : JSON.stringify(response.body),
    })),
  );
  return [...single, ...steps];
}

interface Loop {
  readonly steps: readonly {
    readonly response: { readonly status: number; readonly content_type: string; readonly body: unknown };
  }[];
}

describeRecorded('usage of recorded replies', (folder) => {
  describe.each(Object.entries(APIS))('%s', (api, { adapter, member, rule }) => {
    const replies = recordedReplies(folder, api);
    const request: ModelRequest = {
      choice: { provider: 'openai-compatible', model: 'asked-for' },
      maxOutputTokens: 100,
      instructions: '',
      conversation: [{ role: 'user', text: 'hello' }],
      tools: [],
      toolChoice: 'auto',
    };

    it.each(replies.map((reply) => [reply.name, reply] as const))('%s', async (_, reply) => {
      const events = await askLocally({ adapter, request }, reply, [Buffer.from(reply.body)]);
      const last = events.at(-1);
      if (last?.type !== 'response' && last?.type !== 'failure') throw new Error('no end');
      const usage: Usage | null = last.type === 'response' ? last.response.usage : last.failure.usage;
      const said = lastWord(reply.body, member);
      if (said === null || (member === 'usageMetadata' && said.promptTokenCount === undefined)) {
        expect(usage ?? { inputTokens: 0 }).toMatchObject({ inputTokens: 0 });
        return;
      }
      const buckets = rule(said);
      const { fresh, cached, written, output, reasoning, total } = buckets;
      if (total !== null) expect(fresh + cached + written + output + reasoning).toBe(total);
      expect(usage).toEqual({
        inputTokens: fresh + cached + written,
        cachedInputTokens: cached,
        cacheWriteTokens: written,
        outputTokens: output + reasoning,
        reasoningTokens: reasoning,
      });
      expect(usage === null ? null : costOf(PRICE, usage)).toBe(costOfBuckets(buckets));
    });
  });
});
