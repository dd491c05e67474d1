import { integer, jsonObject, pageQuery } from '@countersign/contracts';
import { z } from 'zod';
import { parseBodyText } from './json-body.js';
import { parseContent, parsedParams, parsedQuery } from './parse.js';
import type { RouteSpec } from './route.js';
import type { HttpRequest } from './tenant-context.js';

const schema = z.strictObject({
  count: integer(1, 10),
  inner: z.strictObject({ name: z.string() }),
  executor: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('http'), url: z.string() }),
      z.strictObject({ type: z.literal('client') }),
    ])
    .optional(),
  choice: z.union([z.enum(['auto', 'required']), z.strictObject({ tool: z.string() })]).optional(),
  payload: jsonObject.optional(),
});

const errorsOf = (text: string): unknown => {
  try {
    parseContent(schema, parseBodyText(text));
    return [];
  } catch (error) {
    return (error as { parts: { errors: { path: string }[] } }).parts.errors.map(({ path }) => path);
  }
};

describe('content', () => {
  test('each unknown field is an error of its own, with its path', () => {
    expect(errorsOf('{"count":1,"inner":{"name":"x","a":1,"b/c":2},"d":3}')).toEqual([
      '/inner/a',
      '/inner/b~1c',
      '/d',
    ]);
  });

  test('an error in a member of a union names the path within it', () => {
    expect(errorsOf('{"count":1,"inner":{"name":"x"},"executor":{"type":"http","url":5}}')).toEqual([
      '/executor/url',
    ]);
    expect(errorsOf('{"count":1,"inner":{"name":"x"},"choice":{"tool":5}}')).toEqual(['/choice/tool']);
    expect(errorsOf('{"count":1,"inner":{"name":"x"},"choice":"never"}')).toEqual(['/choice']);
  });

  test('a number counts however it is written, and a fraction is no integer', () => {
    expect(errorsOf('{"count":5.0,"inner":{"name":"x"}}')).toEqual([]);
    expect(errorsOf('{"count":5.5,"inner":{"name":"x"}}')).toEqual(['/count']);
    expect(errorsOf('{"count":9007199254740993,"inner":{"name":"x"}}')).toEqual(['/count']);
  });

  test('a payload is an object, and no number in disguise', () => {
    expect(errorsOf('{"count":1,"inner":{"name":"x"},"payload":{"isLosslessNumber":true}}')).toEqual([]);
    expect(errorsOf('{"count":1,"inner":{"name":"x"},"payload":1.0}')).toEqual(['/payload']);
    expect(errorsOf('{"count":1,"inner":{"name":"x"},"payload":[]}')).toEqual(['/payload']);
  });
});

const spec: RouteSpec = {
  method: 'GET',
  path: '/v1/things/{id}',
  access: 'public',
  summary: '',
  ok: null,
  query: z.strictObject(pageQuery),
  params: z.object({ id: z.string().regex(/^thing_/) }),
};
const request = (parts: object): HttpRequest => parts as HttpRequest;

describe('a query', () => {
  test('gives what the schema says', () => {
    expect(parsedQuery(request({ query: { limit: '7' } }), spec)).toEqual({ limit: 7 });
  });

  test.each([{ limit: '0' }, { limit: '101' }, { limit: 'x' }, { limit: ['1', '2'] }, { other: '1' }])(
    '%j is invalid',
    (query) => {
      expect(() => parsedQuery(request({ query }), spec)).toThrow(
        expect.objectContaining({
          code: 'invalid_content',
          parts: { errors: [expect.objectContaining({ path: Object.keys(query)[0] })] },
        }),
      );
    },
  );
});

describe('path parameters', () => {
  test('what could never be an id is not found', () => {
    expect(() => parsedParams(request({ params: { id: 'x' } }), spec)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });
});
