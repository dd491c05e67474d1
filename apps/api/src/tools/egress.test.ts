import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import {
  bodyOf,
  type LocalServer,
  startHttpServer,
  startTcpServer,
} from '../../../../test/support/local-server.js';
import { EgressGuard, type EgressOptions } from './egress.js';
import type { OutgoingRequest } from './guarded-request.js';

const never = new AbortController().signal;
const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

function guardWith(options: Partial<EgressOptions> = {}): EgressGuard {
  const guard = new EgressGuard({
    allowed: 'private',
    ownPorts: new Set(),
    ownServices: [],
    exceptions: [],
    ...options,
  });
  open.push(guard);
  return guard;
}

async function serve(...parameters: Parameters<typeof startHttpServer>): Promise<LocalServer> {
  const server = await startHttpServer(...parameters);
  open.push(server);
  return server;
}

const request = (url: string, changes: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  url: new URL(url),
  headers: {},
  body: '{}',
  timeoutMs: 5_000,
  maxBytes: 1_000,
  fresh: false,
  ...changes,
});

const refused = { type: 'error', error: { kind: 'refused', neverSent: true } };

describe('what is refused before anything is sent', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://017700000001:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://127。0。0。1:PORT/',
    'http://127.0.0.1.:PORT/',
  ])('%s does not reach a private address', async (url) => {
    const server = await serve((_request, response) => response.end());
    const guard = guardWith({ allowed: [] });
    const result = await guard.request('ten_a', request(url.replace('PORT', String(server.port))), never);
    expect(result).toMatchObject(refused);
    expect(server.connections()).toBe(0);
  });

  test.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://user:pass@example.com/',
  ])('%s is not called at all', async (url) => {
    const guard = guardWith();
    expect(await guard.request('ten_a', request(url), never)).toMatchObject(refused);
    await expect(guard.fetch('ten_a')(url)).rejects.toMatchObject({ kind: 'refused', neverSent: true });
  });

  test('a name that leads to a private address is refused, whatever else it leads to', async () => {
    const lookup = async () => ['10.0.0.1', '169.254.169.254'];
    const guard = guardWith({ allowed: [], lookup });
    expect(await guard.request('ten_a', request('https://innocent.example/'), never)).toMatchObject(refused);
    await expect(guard.fetch('ten_a')('https://innocent.example/')).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  test("the product's own ports are refused even where the private network is open", async () => {
    const server = await serve((_request, response) => response.end());
    const guard = guardWith({ ownPorts: new Set([server.port]) });
    expect(await guard.request('ten_a', request(server.origin), never)).toMatchObject(refused);
    expect(server.connections()).toBe(0);
  });
});

test("the product's own services are refused by whatever name they are reached", async () => {
  const server = await serve((_request, response) => response.end());
  const lookup = async (name: string) => (name === 'postgres' ? ['10.9.9.9'] : ['::ffff:10.9.9.9']);
  const guard = guardWith({ lookup, ownServices: [{ host: 'postgres', port: 5432 }] });
  for (const url of ['http://postgres:5432/', 'http://alias.example:5432/', 'http://10.9.9.9:5432/']) {
    expect(await guard.request('ten_a', request(url), never)).toMatchObject(refused);
  }
  const local = guardWith({ ownServices: [{ host: '127.0.0.1', port: server.port }] });
  expect(await local.request('ten_a', request(server.origin), never)).toMatchObject(refused);
  expect(server.connections()).toBe(0);
});

test('the address that was judged is the one connected to: a name that rebinds gains nothing', async () => {
  const server = await serve((message, response) => response.end(message.headers.host));
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  const guard = guardWith({ lookup: async () => answers.shift() ?? [] });
  const url = `http://rebinding.example:${server.port}/`;
  const first = await guard.request('ten_a', request(url, { fresh: true }), never);
  expect(first).toMatchObject({ type: 'response', status: 200 });
  expect(first.type === 'response' && Buffer.from(first.body).toString()).toBe(
    `rebinding.example:${server.port}`,
  );
  expect(await guard.request('ten_a', request(url, { fresh: true }), never)).toMatchObject(refused);
  expect(server.connections()).toBe(1);
});

test('the name stays in the TLS handshake', async () => {
  const names: string[] = [];
  const server = createTlsServer({
    SNICallback: (name, done) => done(new Error(`no key for ${names.push(name)}`)),
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => new Promise((resolve) => server.close(resolve)) });
  const { port } = server.address() as AddressInfo;
  const guard = guardWith({ lookup: async () => ['127.0.0.1'] });
  const result = await guard.request('ten_a', request(`https://named.example:${port}/`), never);
  expect(result).toMatchObject({ type: 'error', error: { kind: 'tls', neverSent: true } });
  expect(names).toEqual(['named.example']);
});

test('the next address is tried where one does not answer', async () => {
  const server = await serve((_request, response) => response.end('here'));
  const guard = guardWith({ lookup: async () => ['::1', '127.0.0.1'] });
  const result = await guard.request('ten_a', request(`http://two.example:${server.port}/`), never);
  expect(result).toMatchObject({ type: 'response', status: 200 });
});

describe('an exception', () => {
  test('opens one origin to one tenant, and its connections serve nobody else', async () => {
    const server = await serve((_request, response) => response.end('shop'));
    const exceptions = [{ origin: server.origin, tenant: 'ten_demo' }];
    const guard = guardWith({ allowed: [], exceptions });
    const shop = request(`${server.origin}/refund`);
    expect(await guard.request('ten_demo', shop, never)).toMatchObject({ type: 'response', status: 200 });
    expect((await guard.fetch('ten_demo')(server.origin)).status).toBe(200);
    expect(await guard.request('ten_a', shop, never)).toMatchObject(refused);
    await expect(guard.fetch('ten_a')(server.origin)).rejects.toMatchObject({ kind: 'refused' });
    const elsewhere = request(server.origin.replace('127.0.0.1', 'localhost'));
    expect(await guard.request('ten_demo', elsewhere, never)).toMatchObject(refused);
  });
});

describe('a request', () => {
  test('never follows a redirect', async () => {
    const server = await serve((message, response) => {
      response.writeHead(message.url === '/' ? 302 : 200, { location: '/secret' }).end();
    });
    const guard = guardWith();
    expect(await guard.request('ten_a', request(server.origin), never)).toMatchObject({ status: 302 });
    expect((await guard.fetch('ten_a')(server.origin)).status).toBe(302);
  });

  test('reads a body up to its cap and drops the rest', async () => {
    const server = await serve((_request, response) => response.end('x'.repeat(5_000)));
    const result = await guardWith().request('ten_a', request(server.origin, { maxBytes: 100 }), never);
    expect(result).toMatchObject({ type: 'response', complete: true, cut: true });
    expect(result.type === 'response' && result.body.byteLength).toBe(100);
  });

  test('does not inflate', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const result = await guardWith().request('ten_a', request(server.origin, { maxBytes: 10_000 }), never);
    expect(result.type === 'response' && result.body.byteLength).toBe(bomb.length);
  });

  test('skips interim answers', async () => {
    const server = await serve((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      response.writeHead(418).end('tea');
    });
    expect(await guardWith().request('ten_a', request(server.origin), never)).toMatchObject({ status: 418 });
  });

  test('takes a connection of its own where it asks for one, and shares one where it does not', async () => {
    const server = await serve((_request, response) => response.end('ok'));
    const guard = guardWith();
    for (let turn = 0; turn < 5; turn += 1) await guard.request('ten_a', request(server.origin), never);
    const shared = server.connections();
    expect(shared).toBeLessThan(5);
    for (let turn = 0; turn < 5; turn += 1) {
      await guard.request('ten_a', request(server.origin, { fresh: true }), never);
    }
    expect(server.connections()).toBe(shared + 5);
  });

  test.each(['timeout', 'aborted'] as const)(
    'that is %s before it was written is never written',
    async (kind) => {
      const bodies: string[] = [];
      const server = await serve(async (message, response) => {
        bodies.push(await bodyOf(message));
        response.end();
      });
      let answer: (addresses: string[]) => void = () => undefined;
      const lookup = () => new Promise<string[]>((resolve) => (answer = resolve));
      const stop = new AbortController();
      const guard = guardWith({ lookup });
      const url = `http://slow.example:${server.port}/`;
      const timeoutMs = kind === 'timeout' ? 10 : 5_000;
      const pending = guard.request('ten_a', request(url, { timeoutMs, body: 'first' }), stop.signal);
      if (kind === 'aborted') stop.abort();
      expect(await pending).toMatchObject({ type: 'error', error: { kind, neverSent: true } });
      const next = guard.request('ten_a', request(url, { body: 'second' }), never);
      answer(['127.0.0.1']);
      await next;
      expect(bodies).toEqual(['second']);
    },
  );
});

describe('fetch', () => {
  test('says that nothing was sent', async () => {
    const guard = guardWith({ lookup: () => Promise.reject(new Error('ENOTFOUND')) });
    await expect(guard.fetch('ten_a')('https://no.example/')).rejects.toMatchObject({
      kind: 'dns',
      neverSent: true,
    });
    const server = await startTcpServer(() => undefined);
    await server.close();
    await expect(guardWith().fetch('ten_a')(server.origin)).rejects.toMatchObject({
      kind: 'connect',
      neverSent: true,
    });
  });

  test('streams an answer, and says of a broken one that it was sent', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      setTimeout(() => response.destroy(), 20);
    });
    const response = await guardWith().fetch('ten_a')(server.origin, { method: 'POST', body: '{}' });
    const chunks: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk).toString());
    })();
    await expect(reading).rejects.toThrow();
    expect(chunks).toEqual(['data: 1\n\n']);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
  });

  test('breaks off an answer that inflates without end', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024));
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const response = await guardWith().fetch('ten_a')(server.origin);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test('ends when it is aborted', async () => {
    const server = await serve(() => undefined);
    const stop = new AbortController();
    const pending = guardWith().fetch('ten_a')(server.origin, { signal: stop.signal });
    stop.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });
});
