import { HttpToolBench, httpTool } from '../../../../test/support/http-tool-bench.js';
import { bodyOf, type LocalServer, startTcpServer } from '../../../../test/support/local-server.js';
import { toolInvocation } from '../../../../test/support/tool-invocation.js';

const never = new AbortController().signal;
const bench = new HttpToolBench();
afterEach(() => bench.end());
afterAll(() => bench.close());

describe('an ending without an answer', () => {
  /** Each way in which a call can end badly, by a real server. */
  const endings: Record<string, () => Promise<LocalServer>> = {
    'refused port': async () => {
      const server = await startTcpServer(() => undefined);
      await server.close();
      return server;
    },
    'closed before the request': () => bench.serveRaw((socket) => socket.end()),
    'reset after the request': () =>
      bench.serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy())),
    'closed within the head': () =>
      bench.serveRaw((socket) => socket.once('data', () => socket.end('HTTP/1.1 20'))),
    'closed within the body': () =>
      bench.serveRaw((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a"')),
      ),
    'no HTTP at all': () =>
      bench.serveRaw((socket) => socket.once('data', () => socket.end('220 smtp ready\r\n'))),
    silence: () => bench.serveRaw(() => undefined),
    'a body that never ends': () =>
      bench.serveRaw((socket) => {
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'));
      }),
  };
  const sent = Object.keys(endings).filter((name) => name !== 'refused port');

  const start = (name: string): Promise<LocalServer> => {
    const ending = endings[name];
    if (ending === undefined) throw new Error(name);
    return ending();
  };

  test.each(sent)('once: %s is unknown, and is sent a single time', async (name) => {
    const server = await start(name);
    expect(await bench.run(server, { timeoutMs: 200, retries: 2 })).toMatchObject({
      type: 'unknown',
      attempts: 1,
    });
    expect(server.connections()).toBe(1);
  });

  test('once: what was never sent has failed', async () => {
    const server = await start('refused port');
    const outcome = await bench.run(server);
    expect(outcome).toMatchObject({
      type: 'failed',
      code: 'tool_unreachable',
      infrastructure: true,
      attempts: 1,
    });
    expect(outcome.type === 'failed' && outcome.detail).toBe('No connection could be made. Nothing ran.');
  });

  test.each([
    ['a name without address', 'http://no-such-host.invalid/', 'tool_unreachable'],
    ['TLS to a server that speaks none', 'https', 'tool_unreachable'],
    ['a refusal of the guard', 'http://169.254.169.254/latest/meta-data', 'egress_refused'],
  ])('once: %s has failed', async (_what, url, code) => {
    const server = await bench.serve((_message, response) => response.end());
    const target = url === 'https' ? server.origin.replace('http:', 'https:') : url;
    const invocation = toolInvocation({ executor: { type: 'http', url: target } });
    const outcome = await bench.execute(invocation, never);
    expect(outcome).toMatchObject({ type: 'failed', code, attempts: 1 });
    expect(JSON.stringify(outcome)).not.toMatch(/169\.254|no-such-host/);
  });

  test.each(Object.keys(endings))('read: %s is tried again, and then has failed', async (name) => {
    const outcome = await bench.run(await start(name), { effect: 'read', retries: 1, timeoutMs: 200 });
    expect(outcome).toMatchObject({ type: 'failed', infrastructure: true, attempts: 2 });
  });

  test('idempotent: out of attempts, the words do not deny that it may have run', async () => {
    const outcome = await bench.run(await start('silence'), {
      effect: 'idempotent',
      retries: 1,
      timeoutMs: 50,
    });
    expect(outcome).toMatchObject({
      type: 'failed',
      code: 'tool_timeout',
      detail: 'The time for the call was up. It was tried 2 times. It may or may not have taken effect.',
    });
  });

  test('an abort makes a once in flight unknown, and a call not yet sent failed', async () => {
    const stop = new AbortController();
    const server = await bench.serve(() => stop.abort());
    const invocation = toolInvocation(httpTool(server));
    expect(await bench.execute(invocation, stop.signal)).toMatchObject({ type: 'unknown' });
    expect(await bench.execute(invocation, stop.signal)).toMatchObject({
      type: 'failed',
      code: 'aborted',
    });
    expect(server.connections()).toBe(1);
  });
});

describe('repeats', () => {
  const keys: unknown[] = [];
  beforeEach(() => keys.splice(0));

  /** Answers with these statuses in turn, and then with 200. */
  const inTurn = (...statuses: [number, Record<string, string>?][]) =>
    bench.serve(async (message, response) => {
      keys.push([message.headers['idempotency-key'], message.headers['webhook-id'], await bodyOf(message)]);
      const [status, headers] = statuses.shift() ?? [200];
      response.writeHead(status, headers ?? {}).end('{"done":true}');
    });

  test.each<[number, Record<string, string>?]>([[425], [429], [503, { 'retry-after': '0' }]])(
    'once: %i says that it did not run, and is sent again with the same key',
    async (...answer) => {
      const server = await inTurn(answer, answer);
      expect(await bench.run(server)).toEqual({ type: 'succeeded', output: '{"done":true}', attempts: 3 });
      expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(1);
    },
  );

  test('once: after three such answers it has failed, not run', async () => {
    const server = await inTurn([429], [429], [429]);
    expect(await bench.run(server)).toMatchObject({ type: 'failed', code: 'tool_unavailable', attempts: 3 });
  });

  test.each([500, 502, 503, 504, 408, 409, 302])(
    'once: %i is unknown at the first answer',
    async (status) => {
      const server = await inTurn([status]);
      expect(await bench.run(server)).toMatchObject({ type: 'unknown', attempts: 1 });
    },
  );

  test.each(['once', 'read'] as const)(
    '%s: who asks for more than a minute is not asked again',
    async (effect) => {
      const server = await inTurn([429, { 'retry-after': '9999' }]);
      const outcome = await bench.run(server, { effect });
      expect(outcome).toMatchObject({ type: 'failed', code: 'tool_unavailable', attempts: 1 });
      expect(keys).toHaveLength(1);
    },
  );

  test('once: a 503 whose Retry-After cannot be read is unknown', async () => {
    const server = await inTurn([503, { 'retry-after': 'soon' }]);
    expect(await bench.run(server)).toMatchObject({ type: 'unknown' });
  });

  test.each([408, 425, 429, 500, 502, 503, 504])(
    'idempotent: %i is sent again with the same key',
    async (status) => {
      const server = await inTurn([status], [status]);
      const outcome = await bench.run(server, { effect: 'idempotent', retries: 2 });
      expect(outcome).toEqual({ type: 'succeeded', output: '{"done":true}', attempts: 3 });
      expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(1);
    },
  );

  test('read: a refusal is not repeated', async () => {
    const server = await inTurn([404]);
    expect(await bench.run(server, { effect: 'read', retries: 2 })).toMatchObject({
      type: 'failed',
      attempts: 1,
    });
  });

  test('an abort between attempts ends them: a once that said "not run" was not sent again', async () => {
    const stop = new AbortController();
    const server = await bench.serve((_message, response) => {
      response.writeHead(429, { 'retry-after': '50' }).end(() => setTimeout(() => stop.abort(), 20));
    });
    const outcome = await bench.execute(toolInvocation(httpTool(server)), stop.signal);
    expect(outcome).toMatchObject({ type: 'failed', code: 'aborted', attempts: 1 });
  });

  test('once never rides on a kept-alive connection', async () => {
    const server = await inTurn();
    for (let turn = 0; turn < 4; turn += 1) await bench.run(server);
    expect(server.connections()).toBe(4);
  });
});
