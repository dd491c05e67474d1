import type { JsonText } from '@countersign/agent-core';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { HttpToolBench, httpTool, SECRET } from '../../../../test/support/http-tool-bench.js';
import { bodyOf } from '../../../../test/support/local-server.js';
import { toolInvocation } from '../../../../test/support/tool-invocation.js';
import { sealHeaders } from './tool-secrets.js';

const never = new AbortController().signal;
const bench = new HttpToolBench();
afterEach(() => bench.end());
afterAll(() => bench.close());

describe('the call', () => {
  test('carries its context, its key, and a signature that the standard library verifies', async () => {
    const seen: { headers: Record<string, unknown>; body: string; url: string | undefined }[] = [];
    const server = await bench.serve(async (message, response) => {
      seen.push({ headers: message.headers, body: await bodyOf(message), url: message.url });
      response.end('{"ok":true}');
    });
    const subject = '{"id":"C-1001","plan":"gold"}' as JsonText;
    await bench.run(server, {}, { subject, arguments: '{"orderId":3}' as JsonText });
    const [{ headers, body, url } = { headers: {}, body: '', url: '' }] = seen;
    expect(url).toBe('/refund?x=1');
    expect(headers).toMatchObject({ 'idempotency-key': 'eff_01', 'content-type': 'application/json' });
    expect(JSON.parse(body)).toEqual({
      tool: 'refund_order',
      arguments: { orderId: 3 },
      context: {
        tenant: 'ten_a',
        runId: 'run_1',
        toolCallId: 'tcl_01',
        operationId: 'op_1',
        subject: { id: 'C-1001', plan: 'gold' },
      },
    });
    const verifier = new Webhook(bench.signingSecret);
    expect(() => verifier.verify(body, headers as Record<string, string>)).not.toThrow();
    expect(() => verifier.verify(`${body} `, headers as Record<string, string>)).toThrow();
  });

  test('without a subject says null', async () => {
    let body = '';
    const server = await bench.serve(async (message, response) => {
      body = await bodyOf(message);
      response.end('{}');
    });
    await bench.run(server);
    expect(JSON.parse(body)).toMatchObject({ context: { subject: null } });
  });

  test('brings every text and every digit to the server unchanged, and signed', async () => {
    const bodies: string[] = [];
    const verifier = new Webhook(bench.signingSecret);
    const server = await bench.serve(async (message, response) => {
      const body = await bodyOf(message);
      verifier.verify(body, message.headers as Record<string, string>, { jsonParse: false });
      bodies.push(body);
      response.end(body);
    });
    const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?$/);
    const text = fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value));
    const property = fc.asyncProperty(number, text, text, async (digits, key, value) => {
      const sent =
        `{"n":${digits},"t":${value},"list":[${value},${digits}],"__proto__":{${key}:null}}` as JsonText;
      const outcome = await bench.run(server, {}, { arguments: sent, subject: sent });
      const body = bodies.at(-1) ?? '';
      expect(body.startsWith(`{"tool":"refund_order","arguments":${sent},"context":{`)).toBe(true);
      expect(body.endsWith(`"subject":${sent}}}`)).toBe(true);
      // And back: the server's answer is the body that it got.
      expect(outcome).toEqual({ type: 'succeeded', output: body, attempts: 1 });
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test("carries the tool's own headers, and none of them replaces one of the call's", async () => {
    let headers: Record<string, unknown> = {};
    const server = await bench.serve((message, response) => {
      headers = message.headers;
      response.end('{}');
    });
    const url = `${server.origin}/refund`;
    const own = { 'X-Api-Key': 'sesame', 'Idempotency-Key': 'forged', 'Webhook-Id': 'forged' };
    const changes = {
      findSecrets: async () => ({
        signingSecretSealed: bench.signingSecretSealed,
        headersSealed: sealHeaders(own, SECRET, 'ten_a', 'refund_order', url),
      }),
    };
    await bench.execute(toolInvocation({ executor: { type: 'http', url } }), never, changes);
    expect(headers).toMatchObject({
      'x-api-key': 'sesame',
      'idempotency-key': 'eff_01',
      'webhook-id': 'eff_01',
    });
  });

  test("is not sent where the tool's headers were sealed for another origin", async () => {
    const server = await bench.serve((_message, response) => response.end('{}'));
    const changes = {
      findSecrets: async () => ({
        signingSecretSealed: bench.signingSecretSealed,
        headersSealed: sealHeaders(
          { 'x-api-key': 'sesame' },
          SECRET,
          'ten_a',
          'refund_order',
          'https://shop.example/',
        ),
      }),
    };
    const outcome = await bench.execute(toolInvocation(httpTool(server)), never, changes);
    expect(outcome).toMatchObject({ type: 'failed', code: 'tool_credentials_unreadable', attempts: 0 });
    expect(JSON.stringify(outcome)).not.toContain('sealed');
    expect(server.connections()).toBe(0);
    expect(bench.errors).toHaveLength(1);
  });

  test('is not sent where the database is down, and the model reads no internals', async () => {
    const server = await bench.serve((_message, response) => response.end('{}'));
    const changes = {
      findSecrets: () => Promise.reject(new Error('password of 10.0.0.5 is wrong')),
    };
    const outcome = await bench.execute(toolInvocation(httpTool(server)), never, changes);
    expect(outcome).toMatchObject({ type: 'failed', infrastructure: true });
    expect(JSON.stringify(outcome)).not.toContain('10.0.0.5');
    expect(bench.errors).toHaveLength(1);
  });
});

describe('a result', () => {
  const answering = (status: number, body?: string | Buffer) =>
    bench.serve((_message, response) => response.writeHead(status).end(body));

  test.each(['{"id":9007199254740993,"price":1.10}', '[]', '"text"', 'null', '1e400', ' {"a":1}\n'])(
    'that is JSON is kept as it came: %j',
    async (body) => {
      const server = await answering(200, body);
      expect(await bench.run(server)).toEqual({ type: 'succeeded', output: body.trim(), attempts: 1 });
    },
  );

  test.each<[string, number, string | Buffer | undefined, string]>([
    ['no content', 204, undefined, 'The tool ran and answered without content.'],
    ['an empty body', 200, '  \n', 'The tool ran and answered without content.'],
    ['plain text', 200, 'done', 'The tool ran. Its answer is not valid JSON:\ndone'],
    ['half JSON', 201, '{"a":', 'The tool ran. Its answer is not valid JSON:\n{"a":'],
    ['a doubled key', 200, '{"a":1,"a":2}', 'The tool ran. Its answer is not valid JSON:\n{"a":1,"a":2}'],
    ['bytes', 200, Buffer.from([0xff, 0xfe, 0]), 'The tool ran. Its answer (3 bytes) is not readable text.'],
  ])('of %s ran, and says so in words', async (_what, status, body, words) => {
    const outcome = await bench.run(await answering(status, body));
    expect(outcome).toEqual({ type: 'succeeded', output: JSON.stringify(words), attempts: 1 });
  });

  test('of more than 1 MiB ran, and its beginning is kept', async () => {
    const outcome = await bench.run(await answering(200, JSON.stringify('é'.repeat(700_000))));
    const output = outcome.type === 'succeeded' ? String(JSON.parse(outcome.output)) : '';
    expect(output.startsWith('The tool ran. Its answer was longer than 1048576 bytes')).toBe(true);
    expect(output.endsWith('é')).toBe(true);
  });

  test('of a refusal gives the detail of a problem, and the credential is told apart', async () => {
    const problem = JSON.stringify({ type: 'about:blank', detail: 'The order is already refunded.' });
    expect(await bench.run(await answering(422, problem))).toEqual({
      type: 'failed',
      code: 'arguments_refused',
      detail: 'The tool answered 422: The order is already refunded.',
      infrastructure: false,
      attempts: 1,
    });
    expect(await bench.run(await answering(404, '<html>stack trace</html>'))).toMatchObject({
      detail: 'The tool answered 404.',
    });
    expect(await bench.run(await answering(403))).toMatchObject({ type: 'failed', code: 'unauthorized' });
  });

  test('of a refusal is cut by code point', async () => {
    const server = await answering(400, JSON.stringify({ detail: '😀'.repeat(3_000) }));
    const outcome = await bench.run(server);
    expect(outcome.type === 'failed' && outcome.detail).toBe(
      `The tool answered 400: ${'😀'.repeat(2_000)} [cut]`,
    );
  });
});
