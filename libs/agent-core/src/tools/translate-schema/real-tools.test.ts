import { join } from 'node:path';
import fc from 'fast-check';
import { encodeMessagesRequest } from '../../adapters/anthropic-messages/encode.js';
import { functionNames } from '../../adapters/google/function-names.js';
import { encodeGenerateContent } from '../../adapters/google/generate-content/encode.js';
import { encodeChatRequest } from '../../adapters/openai-chat/encode.js';
import { encodeResponsesRequest } from '../../adapters/openai-responses/encode.js';
import type { ModelRequest, ToolSpecification } from '../../model/conversation.js';
import type { ModelChoice } from '../../model/model-choice.js';
import type { JsonText } from '../../shared/brand.js';
import { describeRecorded } from '../../testing/describe-recorded.js';
import { tool } from '../../testing/loop-fixtures.js';
import { publishedSchema } from '../../testing/openapi-schema.js';
import { anyValueOf } from '../../testing/schema-values.js';
import { readJsonFile } from '../../testing/wire-data.js';
import { compileSchema } from '../argument-schema.js';
import { normalizeArguments } from '../normalize-arguments.js';
import { problemsOfSchema } from '../validation-message.js';
import { toldSchema, untellable } from './told-schema.js';

const LONG_MS = 120_000;

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

const specification = (listed: Listed, index: number): ToolSpecification => ({
  name: `${listed.name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 50)}_${index}`,
  description: listed.description,
  parameters: JSON.stringify(listed.parameters) as JsonText,
});

interface Spoken {
  readonly provider: Exclude<ModelChoice['provider'], 'scripted'>;
  readonly api: string;
  readonly encode: (request: ModelRequest) => string;
  /** Where the API's published schema of a request is, and what it is called there. */
  readonly published: readonly [file: string, reference: string];
}

const spoken: readonly Spoken[] = [
  {
    provider: 'openai',
    api: 'chat',
    encode: (request) => encodeChatRequest(request, 'openai:0'),
    published: ['openai.openapi.json', '#/components/schemas/CreateChatCompletionRequest'],
  },
  {
    provider: 'openai-compatible',
    api: 'chat',
    encode: (request) => encodeChatRequest(request, 'openai-compatible:0'),
    published: ['openai.openapi.json', '#/components/schemas/CreateChatCompletionRequest'],
  },
  {
    provider: 'openai',
    api: 'responses',
    encode: (request) => encodeResponsesRequest(request, 'openai:0'),
    published: ['openai.openapi.json', '#/components/schemas/CreateResponse'],
  },
  {
    provider: 'anthropic',
    api: 'messages',
    encode: (request) => encodeMessagesRequest(request, 'anthropic:0'),
    published: ['anthropic.messages-request.schema.json', '#/definitions/MessagesRequest'],
  },
  {
    provider: 'google',
    api: 'generateContent',
    encode: (request) => encodeGenerateContent(request, functionNames(request.tools)),
    published: ['gemini.generate-content-request.schema.json', '#/definitions/GenerateContentRequest'],
  },
];

describeRecorded('tools as people write them', (folder) => {
  const listed = readJsonFile<readonly Listed[]>(join(folder, 'bfcl/schemas.json'));
  const tools = listed.map(specification);

  it.each(spoken.map((each) => [`${each.provider} by ${each.api}`, each] as const))(
    '%s: its published types accept each of them, translated',
    (_, { provider, encode, published }) => {
      const validate = publishedSchema(folder, ...published);
      for (let start = 0; start < tools.length; start += 100) {
        const request: ModelRequest = {
          choice: { provider, model: 'm' },
          maxOutputTokens: 100,
          instructions: '',
          conversation: [{ role: 'user', text: 'q' }],
          tools: tools.slice(start, start + 100),
          toolChoice: 'auto',
        };
        validate(JSON.parse(encode(request)));
        expect(validate.errors ?? []).toEqual([]);
      }
      for (const { parameters } of tools) {
        const schema = JSON.parse(toldSchema(parameters, provider).parameters) as Record<string, unknown>;
        expect(problemsOfSchema(schema)).toEqual([]);
      }
    },
    LONG_MS,
  );

  it('are told to everybody, save one whose argument has a name that Anthropic refuses', () => {
    const untold = spoken.flatMap(({ provider, api }) =>
      tools.filter(({ parameters }) => untellable(parameters, provider).length > 0).map(() => api),
    );
    expect(untold).toEqual(['messages']);
  });

  it(
    'hold OpenAI to a strict form, save those with values of any kind; what it writes then is valid',
    () => {
      const strict = tools.filter(({ parameters }) => toldSchema(parameters, 'openai').strict);
      expect(strict.length).toBeGreaterThan(1200);
      // Compiling is what takes long: one in five, of those that can be registered (real-schemas.test.ts).
      const some = strict.filter(({ parameters }, index) => index % 5 === 0 && compileSchema(parameters).ok);
      expect(some.length).toBeGreaterThan(200);
      for (const { parameters } of some) {
        const schema = JSON.parse(toldSchema(parameters, 'openai').parameters) as object;
        for (const value of fc.sample(anyValueOf(schema), { numRuns: 3, seed: 7 })) {
          const definition = tool('t', 'read', { parameters });
          const proposed = JSON.stringify(value);
          const normalized = normalizeArguments({ definition, subject: null, proposed });
          const errors = normalized.type === 'arguments' ? normalized.errors : [];
          // Formats are told in words, and these are any texts.
          expect(errors.filter(({ message }) => !/must be a date/.test(message))).toEqual([]);
        }
      }
    },
    LONG_MS,
  );
});

interface Accepted {
  readonly name: string;
  readonly strict: boolean | null;
  readonly schema: Record<string, unknown>;
}

describeRecorded('schemas that providers accepted', (folder) => {
  const recorded = readJsonFile<Record<string, readonly Accepted[] | string>>(
    join(folder, 'wire/accepted_tool_schemas.json'),
  );
  const of = (api: string): readonly Accepted[] =>
    [recorded[api] ?? []].flat().filter((each) => typeof each !== 'string');
  const text = ({ schema }: Accepted) => JSON.stringify(schema) as JsonText;

  /** The order of what is required says nothing. */
  const sorted = (schema: unknown): unknown =>
    JSON.parse(
      JSON.stringify(schema, (key, value: unknown) =>
        key === 'required' && Array.isArray(value) ? [...value].sort() : value,
      ),
    );
  const withoutTitles = (schema: unknown): unknown =>
    JSON.parse(
      JSON.stringify(schema, (key, value: unknown) =>
        key === 'title' && typeof value === 'string' ? undefined : value,
      ),
    );

  it('as strict are strict for us, and stay as they are', () => {
    const strict = [...of('openai-chat'), ...of('openai-responses')].filter((one) => one.strict === true);
    expect(strict.length).toBeGreaterThan(30);
    for (const one of strict) {
      const told = toldSchema(text(one), 'openai');
      expect(told.strict).toBe(true);
      const { required = [], ...rest } = one.schema;
      expect(sorted(JSON.parse(told.parameters))).toEqual(sorted(withoutTitles({ ...rest, required })));
    }
  });

  it('by Google lose nothing', () => {
    const accepted = of('gemini').filter((one) => compileSchema(text(one)).ok);
    expect(accepted.length).toBeGreaterThan(25);
    for (const one of accepted) {
      expect(JSON.parse(toldSchema(text(one), 'google').parameters)).toEqual(one.schema);
    }
  });
});
