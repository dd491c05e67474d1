import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { SHOP_ROUTES, type ShopCall } from './shop.js';
import { ShopDatabase } from './shop-database.js';

export interface Shop {
  readonly url: string;
  readonly database: ShopDatabase;
  close(): Promise<void>;
}

/** Opens the shop on loopback; port 0 picks a free one. `file` is where it keeps its orders (null: in memory). */
export async function startShop(port = 0, file: string | null = null): Promise<Shop> {
  const database = new ShopDatabase(file);
  const server = createServer((request, response) => {
    answer(database, request, response).catch((error: unknown) => {
      response.writeHead(500).end();
      process.stderr.write(`shop: ${String(error)}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { url: urlOf(server), database, close: () => close(server) };
}

async function answer(
  database: ShopDatabase,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const route = SHOP_ROUTES[request.url ?? ''];
  if (route === undefined || request.method !== 'POST') {
    response.writeHead(404).end();
    return;
  }
  const call = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ShopCall;
  const { status, body } = route(database, call, String(request.headers['idempotency-key'] ?? ''));
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the shop has no port');
  return `http://127.0.0.1:${address.port}`;
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
