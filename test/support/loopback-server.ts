import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port. `handle` gets the whole body as text; what it throws becomes a 599. */
export async function startLoopbackServer(
  handle: (request: IncomingMessage, body: string, response: ServerResponse) => Promise<void>,
): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    readBody(request)
      .then((body) => handle(request, body, response))
      .catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(599, { 'content-type': 'text/plain' });
        response.end(String(error));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: urlOf(server), close: () => closeServer(server) };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  return `http://127.0.0.1:${address.port}`;
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
