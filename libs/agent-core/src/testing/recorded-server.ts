import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RecordedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Written one after the other, each in its own packet as far as the system allows. */
  readonly pieces: readonly (string | Uint8Array)[];
  /** The connection is cut after the last piece instead of being ended. */
  readonly isCut?: boolean;
  /** The connection stays open after the last piece until the client leaves. */
  readonly isHeld?: boolean;
}

export interface RecordedServer {
  readonly url: string;
  /** What was received so far, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** A local HTTP server on a free port of the loopback that answers every request with what `answer` gives. */
export async function serveRecorded(
  answer: (request: ReceivedRequest) => RecordedReply,
): Promise<RecordedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const request = { path: message.url ?? '', headers: message.headers, body };
      requests.push(request);
      void write(response, answer(request));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function write(response: ServerResponse, reply: RecordedReply): Promise<void> {
  response.writeHead(reply.status, reply.headers);
  response.flushHeaders();
  for (const piece of reply.pieces) await new Promise((resolve) => response.write(piece, resolve));
  if (reply.isHeld) return;
  if (reply.isCut) response.destroy();
  else response.end();
}
