import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import type { ConversationItem, ModelRequest } from '../../../model/conversation.js';
import type { JsonText } from '../../../shared/brand.js';
import { readJsonFile, testDataFolder } from '../../../testing/wire-data.js';
import { functionNames } from '../function-names.js';
import { encodeGenerateContent } from './encode.js';

const folder = testDataFolder();
const describeRecorded = folder === null ? describe.skip : describe;

function requestValidator(): ValidateFunction {
  const file = join(folder ?? '', 'openapi/gemini.generate-content-request.schema.json');
  const ajv = new Ajv({ strict: false, validateFormats: false });
  return ajv.compile(readJsonFile<object>(file));
}

const text = fc.string({ unit: 'binary', maxLength: 20 });
const args = fc.oneof(
  text,
  fc.dictionary(text, fc.jsonValue()).map((value) => JSON.stringify(value)),
);
const call = fc.record({ callId: fc.string({ minLength: 1, maxLength: 60 }), tool: text, arguments: args });
const turn = fc
  .record({ text, calls: fc.array(call, { maxLength: 3 }), result: text, isError: fc.boolean() })
  .map(({ text: said, calls, result, isError }): readonly ConversationItem[] => [
    { role: 'assistant', text: said, calls, raw: [] },
    ...calls.map(({ callId, tool }) => ({ role: 'tool' as const, callId, tool, text: result, isError })),
  ]);

const request: fc.Arbitrary<ModelRequest> = fc.record({
  choice: fc.record(
    {
      provider: fc.constant('google' as const),
      model: fc.constantFrom('gemini-2.5-pro', 'gemini-3-flash'),
      temperature: fc.constantFrom(0, 0.7, 2),
      reasoningEffort: fc.constantFrom('minimal', 'low', 'medium', 'high', '512'),
    },
    { requiredKeys: ['provider', 'model'] },
  ),
  maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
  instructions: text,
  conversation: fc
    .tuple(text, fc.array(turn, { maxLength: 4 }))
    .map(([input, turns]) => [{ role: 'user' as const, text: input }, ...turns.flat()]),
  tools: fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
      description: text,
      parameters: fc.constant('{"type":"object","properties":{"a":{"type":"string"}}}' as JsonText),
    }),
    { maxLength: 3 },
  ),
  toolChoice: fc.constantFrom('auto' as const, 'required' as const, { tool: '9find' }),
});

interface SentPart {
  readonly text?: string;
  readonly functionCall?: { readonly name: string };
  readonly functionResponse?: { readonly name: string };
}
interface Sent {
  readonly contents: readonly { readonly role: string; readonly parts: readonly SentPart[] }[];
  readonly tools?: readonly [{ readonly functionDeclarations: readonly { readonly name: string }[] }];
}

const count = (parts: readonly SentPart[], kind: 'functionCall' | 'functionResponse') =>
  parts.filter((part) => part[kind] !== undefined).length;

describe('a request', () => {
  it('holds what Google demands of a history, whatever that is', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const body = encodeGenerateContent(asked, functionNames(asked.tools));
        const { contents, tools } = JSON.parse(body) as Sent;
        expect(/\p{Surrogate}/u.test(JSON.stringify(JSON.parse(body)).replace(/\\\\/g, ''))).toBe(false);
        for (const [index, { role, parts }] of contents.entries()) {
          expect(parts.length).toBeGreaterThan(0);
          expect(parts.every((part) => part.text !== '')).toBe(true);
          if (role !== 'model') continue;
          // The results of a turn's calls follow it, all of them in one content.
          const results = count(contents[index + 1]?.parts ?? [], 'functionResponse');
          expect(results).toBe(count(parts, 'functionCall'));
        }
        const names = [
          ...(tools?.[0].functionDeclarations.map(({ name }) => name) ?? []),
          ...contents.flatMap(({ parts }) =>
            parts.flatMap((part) => part.functionCall?.name ?? part.functionResponse?.name ?? []),
          ),
        ];
        for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
      }),
    );
  });
});

describeRecorded('a request (skipped without COUNTERSIGN_TEST_DATA)', () => {
  it("is one that the SDK's own types accept, whatever the history", () => {
    const validate = requestValidator();
    expect(validate({ contents: [{ role: 'user', parts: [{ words: 'a' }] }] })).toBe(false);
    fc.assert(
      fc.property(request, (asked) => {
        validate(JSON.parse(encodeGenerateContent(asked, functionNames(asked.tools))));
        expect(validate.errors ?? []).toEqual([]);
      }),
    );
  });
});
