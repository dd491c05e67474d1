import { createServer, type RequestListener, type Server } from 'node:http';

export interface ListeningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** An HTTP server on loopback; port 0 picks a free one. */
export async function listen(port: number, listener: RequestListener): Promise<ListeningServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { url: urlOf(server), close: () => close(server) };
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
