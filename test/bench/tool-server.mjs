import { createServer } from 'node:http';

/** What a tool of the customers' answers, about as long as what `echo` gives back. */
const ORDERS = JSON.stringify({ orders: [{ id: 17, status: 'refunded', since: '2026-10-01' }] });

/**
 * A customer's tool, in this process: reads the call and answers at once.
 *
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function startToolServer() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(ORDERS);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('the tool has no port');
  }
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
