import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { writeJson } from '@countersign/agent-core';
import fc from 'fast-check';
import { parseBodyText, readJsonBody } from './json-body.js';

function request(body: Buffer | string, headers: Record<string, string> = {}): IncomingMessage {
  const stream = Readable.from(body.length === 0 ? [] : [Buffer.from(body)]);
  return Object.assign(stream, { headers }) as unknown as IncomingMessage;
}

const refusal = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'taken',
    (error: unknown) => error,
  );

describe('a body', () => {
  test('keeps every digit of a number', () => {
    const text = '{"big":9007199254740993,"decimal":0.10,"huge":1e400,"whole":1.0}';
    expect(writeJson(parseBodyText(text))).toBe(text);
  });

  test('keeps whatever JSON it holds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const plain: unknown = JSON.parse(text);
        fc.pre(!/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(plain)));
        expect(JSON.parse(writeJson(parseBodyText(JSON.stringify(plain))))).toEqual(plain);
      }),
    );
  });

  test.each(['', '{', '{"a":1,}', "{'a':1}", 'NaN', '{"a":1} x'])('%j is malformed', (text) => {
    expect(() => parseBodyText(text)).toThrow(expect.objectContaining({ code: 'malformed_json' }));
  });

  test.each([
    ['NUL', '{"a":["x\\u0000"]}', '/a/0'],
    ['a lone surrogate', '{"a":{"b":"\\ud800"}}', '/a/b'],
    ['a member that occurs twice', '{"a":{"b":1,"b":1}}', '/a/b'],
  ])('%s is invalid, with its path', (_what, text, path) => {
    expect(() => parseBodyText(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_content',
        parts: { errors: [expect.objectContaining({ path })] },
      }),
    );
  });

  test('a pair of surrogates is a character like any other', () => {
    expect(parseBodyText('"\\ud83d\\ude00"')).toBe('\u{1f600}');
  });

  test('one that is nested beyond reason is refused without being parsed', () => {
    expect(() => parseBodyText(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow(
      expect.objectContaining({ code: 'invalid_content' }),
    );
  });

  test('over 1 MiB is refused, one of 1 MiB is not', async () => {
    const text = `"${'x'.repeat(1024 * 1024 - 2)}"`;
    expect((await readJsonBody(request(text))).value).toHaveLength(1024 * 1024 - 2);
    expect(await refusal(readJsonBody(request(`${text} `)))).toMatchObject({ code: 'body_too_large' });
  });

  test('that is not UTF-8 is malformed', async () => {
    const latin1 = Buffer.from('{"a":"\xe9"}', 'latin1');
    expect(await refusal(readJsonBody(request(latin1)))).toMatchObject({ code: 'malformed_json' });
  });

  test('that is compressed is not supported', async () => {
    const compressed = request('{}', { 'content-encoding': 'gzip' });
    expect(await refusal(readJsonBody(compressed))).toMatchObject({ code: 'unsupported_media_type' });
  });

  test('means the same whatever the order of its members and its spaces', async () => {
    const one = await readJsonBody(request('{"a":1,"b":[1.0]}'));
    const two = await readJsonBody(request('{ "b": [1.0], "a": 1 }'));
    const other = await readJsonBody(request('{"a":1,"b":[2]}'));
    expect(one.digest()).toBe(two.digest());
    expect(one.digest()).not.toBe(other.digest());
  });
});
