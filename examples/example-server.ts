import type { IncomingMessage, ServerResponse } from 'node:http';
import { assistantRoutes } from './assistant/routes.js';
import { Calendars, calendarRoutes } from './calendar/routes.js';
import { startClusterApi } from './kubernetes/api-server.js';
import { kubernetesRoutes } from './kubernetes/routes.js';
import { type ListeningServer, listen } from './listening.js';
import { machineRoutes } from './machine/routes.js';
import { WireServer } from './machine/wire-server.js';
import { shopRoutes } from './orders/shop.js';
import { ShopDatabase } from './orders/shop-database.js';
import type { ToolRequest, ToolRoutes } from './tool-route.js';

/** Where the model of `machine` is asked. */
const MODEL_PATH = '/machine/v1/chat/completions';

/**
 * Opens the tools of every example on loopback, each example below a path of its own; port 0 picks a free one. `file`
 * is where the shop keeps its orders (null: in memory).
 */
export async function startExampleServer(port = 0, file: string | null = null): Promise<ListeningServer> {
  const cluster = await startClusterApi();
  const model = new WireServer();
  const routes: ToolRoutes = {
    ...shopRoutes(new ShopDatabase(file)),
    ...below('/calendar', calendarRoutes(new Calendars())),
    ...below('/machine', machineRoutes),
    ...below('/kubernetes', kubernetesRoutes(cluster.url)),
    ...below(
      '/assistant',
      assistantRoutes(() => new Date()),
    ),
  };
  const server = await listen(port, (request, response) => {
    const answering =
      request.url === MODEL_PATH ? model.answer(request, response) : answer(routes, request, response);
    answering.catch((error: unknown) => {
      response.writeHead(500).end();
      process.stderr.write(`examples: ${String(error)}\n`);
    });
  }).catch(async (error: unknown) => {
    await cluster.close();
    throw error;
  });
  return {
    url: server.url,
    close: async () => {
      await Promise.all([server.close(), cluster.close()]);
    },
  };
}

function below(path: string, routes: ToolRoutes): ToolRoutes {
  return Object.fromEntries(Object.entries(routes).map(([name, route]) => [`${path}${name}`, route]));
}

async function answer(routes: ToolRoutes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const route = routes[request.url ?? ''];
  if (route === undefined || request.method !== 'POST') {
    response.writeHead(404).end();
    return;
  }
  const call = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ToolRequest;
  const answered = await route(call, String(request.headers['idempotency-key'] ?? ''));
  if (answered === 'no_answer') return;
  const { status, body } = answered;
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  response.writeHead(status, { 'content-type': type });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
