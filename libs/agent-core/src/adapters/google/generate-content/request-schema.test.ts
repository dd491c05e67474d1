import fc from 'fast-check';
import { describeRecorded } from '../../../testing/describe-recorded.js';
import { publishedSchema } from '../../../testing/openapi-schema.js';
import { requests } from '../../../testing/requests.js';
import { functionNames } from '../function-names.js';
import { encodeGenerateContent } from './encode.js';

const asked = requests('google', ['gemini-2.5-pro', 'gemini-3-flash']);

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
      fc.property(asked, (request) => {
        const body = encodeGenerateContent(request, functionNames(request.tools));
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

describeRecorded('a request', (folder) => {
  it("is one that the SDK's own types accept, whatever the history", () => {
    const file = 'gemini.generate-content-request.schema.json';
    const validate = publishedSchema(folder, file, '#/definitions/GenerateContentRequest');
    expect(validate({ contents: [{ role: 'user', parts: [{ words: 'a' }] }] })).toBe(false);
    fc.assert(
      fc.property(asked, (request) => {
        validate(JSON.parse(encodeGenerateContent(request, functionNames(request.tools))));
        expect(validate.errors ?? []).toEqual([]);
      }),
    );
  });
});
