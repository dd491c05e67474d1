import type { ToolDefinition } from '@countersign/agent-core';
import { Webhook } from 'standardwebhooks';
import { HttpToolBench, SECRET } from '../../../../test/support/http-tool-bench.js';
import { bodyOf, type LocalServer, startTcpServer } from '../../../../test/support/local-server.js';
import { toolInvocation } from '../../../../test/support/tool-invocation.js';
import { sealHeaders } from './tool-secrets.js';

const never = new AbortController().signal;
const bench = new HttpToolBench();
afterEach(() => bench.end());
afterAll(() => bench.close());

const answering = (body: string, status = 200) =>
  bench.serve((_message, response) => response.writeHead(status).end(body));
const at = ({ origin }: LocalServer): Partial<ToolDefinition> => ({
  check: { url: `${origin}/check` },
  reconcile: { url: `${origin}/reconcile` },
  timeoutMs: 200,
});
const check = async (server: LocalServer) => (await bench.prepare(toolInvocation(at(server)))).check(never);
const reconcile = async (server: LocalServer) =>
  (await bench.prepare(toolInvocation(at(server)))).reconcile(never);

describe('check', () => {
  test.each<[string, object]>([
    [
      '{"ok":true,"facts":{"amount":10.10,"id":9007199254740993}}',
      { facts: '{"amount":10.10,"id":9007199254740993}', message: null },
    ],
    ['{"ok":true,"facts":[1],"message":"fine"}', { facts: '[1]', message: 'fine' }],
    ['{"ok":true,"message":null}', { facts: 'null', message: null }],
  ])('%s is ok, and keeps its digits', async (body, expected) => {
    expect(await check(await answering(body))).toEqual({ type: 'ok', ...expected });
  });

  test('facts that changed come with their message', async () => {
    const server = await answering(
      '{"ok":false,"facts":{"status":"refunded"},"message":"Already refunded."}',
    );
    expect(await check(server)).toEqual({
      type: 'changed',
      facts: '{"status":"refunded"}',
      message: 'Already refunded.',
    });
  });

  test.each([
    '{"ok":"true","facts":{}}',
    '{"ok":1}',
    '{"ok":false,"facts":{}}',
    '{"ok":true,"message":5}',
    '{"facts":{}}',
    '{"ok":true,"ok":false}',
    '[true]',
    'true',
    'ok',
    '',
  ])('%j is no answer: the facts are unavailable', async (body) => {
    expect(await check(await answering(body))).toMatchObject({ type: 'unavailable' });
  });

  test.each([301, 400, 404, 500])('status %i is unavailable, and shows no body', async (status) => {
    const outcome = await check(await answering('{"ok":true,"facts":{},"trace":"at db.ts"}', status));
    expect(outcome).toEqual({ type: 'unavailable', detail: `The check answered ${status}.` });
  });

  test('silence and a refused port are unavailable', async () => {
    expect(await check(await bench.serveRaw(() => undefined))).toMatchObject({ type: 'unavailable' });
    const gone = await startTcpServer(() => undefined);
    await gone.close();
    expect(await check(gone)).toEqual({ type: 'unavailable', detail: 'No connection could be made.' });
  });

  test('a question that broke off is asked again', async () => {
    const statuses = [503, 200];
    const server = await bench.serve((_message, response) => {
      response.writeHead(statuses.shift() ?? 200).end('{"ok":true,"facts":1}');
    });
    expect(await check(server)).toEqual({ type: 'ok', facts: '1', message: null });
  });
});

describe('reconcile', () => {
  test.each<[string, object]>([
    [
      '{"outcome":"happened","output":{"id":12345678901234567890}}',
      { type: 'happened', output: '{"id":12345678901234567890}' },
    ],
    ['{"outcome":"happened"}', { type: 'happened', output: 'null' }],
    ['{"outcome":"did_not_happen"}', { type: 'did_not_happen' }],
    ['{"outcome":"unknown"}', { type: 'unknown', detail: 'The tool itself does not know.' }],
  ])('%s is taken at its word', async (body, expected) => {
    expect(await reconcile(await answering(body))).toEqual(expected);
  });

  test.each([
    '{"outcome":"Did_not_happen"}',
    '{"outcome":"no"}',
    '{"outcome":null}',
    '{}',
    '[]',
    '"did_not_happen"',
    'no',
    '',
  ])('%j frees nothing: the outcome stays unknown', async (body) => {
    expect(await reconcile(await answering(body))).toMatchObject({ type: 'unknown' });
  });

  test.each([204, 404, 410, 500])('status %i frees nothing', async (status) => {
    expect(await reconcile(await answering('{"outcome":"did_not_happen"}', status))).toMatchObject({
      type: 'unknown',
    });
  });
});

test('questions are signed, carry the key of the effect, and are messages of their own', async () => {
  const ids: unknown[] = [];
  const verifier = new Webhook(bench.signingSecret);
  const server = await bench.serve(async (message, response) => {
    const body = await bodyOf(message);
    verifier.verify(body, message.headers as Record<string, string>);
    expect(JSON.parse(body)).toMatchObject({ tool: 'refund_order', context: { toolCallId: 'tcl_01' } });
    ids.push(message.headers['webhook-id']);
    expect(message.headers['idempotency-key']).toBe('eff_01');
    response.end('{"ok":true,"facts":null,"outcome":"unknown"}');
  });
  await check(server);
  await check(server);
  await reconcile(server);
  expect(new Set(ids).size).toBe(3);
  expect(ids).not.toContain('eff_01');
});

test("the tool's own headers go to the origin of its url alone", async () => {
  const seen: unknown[] = [];
  const serve = () =>
    bench.serve((message, response) => {
      seen.push(message.headers['x-api-key']);
      response.end('{"ok":true,"facts":null}');
    });
  const home = await serve();
  const elsewhere = await serve();
  const url = `${home.origin}/refund`;
  const headersSealed = sealHeaders({ 'x-api-key': 'sesame' }, SECRET, 'ten_a', 'refund_order', url);
  const findSecrets = async () => ({ signingSecretSealed: bench.signingSecretSealed, headersSealed });
  for (const { origin } of [home, elsewhere]) {
    const invocation = toolInvocation({ executor: { type: 'http', url }, check: { url: `${origin}/check` } });
    const prepared = await bench.prepare(invocation, { findSecrets });
    expect(await prepared.check(never)).toMatchObject({ type: 'ok' });
  }
  expect(seen).toEqual(['sesame', undefined]);
});
