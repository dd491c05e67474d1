import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** A server on a free port of 127.0.0.1. */
export interface LocalServer {
  readonly port: number;
  readonly origin: string;
  /** Connections that were accepted so far. */
  readonly connections: () => number;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

export function startHttpServer(listener: RequestListener): Promise<LocalServer> {
  return start(createServer({ keepAliveTimeout: 60_000 }, listener));
}

/** For what no HTTP server does: silence, half answers, resets. */
export function startTcpServer(onConnection: (socket: Socket) => void): Promise<LocalServer> {
  return start(createTcpServer(onConnection));
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function start(server: Server): Promise<LocalServer> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    connections: () => connections,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
