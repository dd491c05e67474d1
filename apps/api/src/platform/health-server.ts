import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ReadinessCheck, readiness } from './health.js';
import { toJson } from './reply.js';

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `/healthz` and `/readyz` of a process that serves nothing else. Port 0 picks a free one. */
export async function startHealthServer(
  host: string,
  port: number,
  checks: readonly ReadinessCheck[],
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0];
    if (path === '/healthz') answer(response, 200, { status: 'ok' });
    else if (path === '/readyz') answerReadiness(response, checks);
    else answer(response, 404, { status: 'unknown path' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerReadiness(response: ServerResponse, checks: readonly ReadinessCheck[]): void {
  readiness(checks).then(
    (state) => answer(response, state.ready ? 200 : 503, readinessDocument(state)),
    () => response.destroy(),
  );
}

/** What `/readyz` answers. */
export function readinessDocument(state: Awaited<ReturnType<typeof readiness>>): object {
  return { status: state.ready ? 'ready' : 'not ready', checks: state.checks };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(toJson(body));
}
