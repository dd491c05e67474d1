import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { startLoopbackServer } from './loopback-server.js';
import { completionBody, completionChunks, type ModelReply } from './model-reply.js';

/** A message of OpenAI's chat API, as the product sent it. */
export interface SentMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

export interface ModelRequestRecord {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  readonly body: {
    readonly model: string;
    readonly stream?: boolean;
    readonly messages: readonly SentMessage[];
    readonly tools?: { type: string; function: { name: string; description: string; parameters: unknown } }[];
    readonly tool_choice?: unknown;
    readonly [field: string]: unknown;
  };
}

/** What the model says next: a list, one reply a request, or a function of the request and its number (from 0). */
export type ModelScript =
  | readonly ModelReply[]
  | ((request: ModelRequestRecord, index: number) => ModelReply | Promise<ModelReply>);

export interface ModelServer {
  /** To be used as an agent's `baseUrl`. */
  readonly baseUrl: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequestRecord[];
  /** Replaces the script; a list begins anew. */
  play(script: ModelScript): void;
  close(): Promise<void>;
}

/** An OpenAI-compatible server with a script. A request beyond the script is answered 400, so that no test hangs. */
export async function startModelServer(script: ModelScript = []): Promise<ModelServer> {
  let current = script;
  let played = 0;
  const requests: ModelRequestRecord[] = [];
  const server = await startLoopbackServer(async (request, rawBody, response) => {
    const record: ModelRequestRecord = {
      path: request.url ?? '',
      headers: request.headers,
      rawBody,
      body: JSON.parse(rawBody) as ModelRequestRecord['body'],
    };
    requests.push(record);
    const index = played;
    played += 1;
    const reply = typeof current === 'function' ? await current(record, index) : current[index];
    await answer(reply ?? BEYOND_THE_SCRIPT, record, response);
  });
  return {
    baseUrl: `${server.url}/v1`,
    requests,
    play: (next) => {
      current = next;
      played = 0;
    },
    close: server.close,
  };
}

const BEYOND_THE_SCRIPT: ModelReply = {
  status: 400,
  body: JSON.stringify({
    error: { message: 'the script has no further reply', type: 'invalid_request_error' },
  }),
};

async function answer(
  reply: ModelReply,
  request: ModelRequestRecord,
  response: ServerResponse,
): Promise<void> {
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body);
    return;
  }
  if ('pieces' in reply) {
    await stream(reply.pieces, response);
    if (reply.end === 'break') response.destroy();
    else response.end();
    return;
  }
  if (request.body.stream === true) {
    await stream(completionChunks(reply, request.body.model), response);
    response.end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(completionBody(reply, request.body.model));
}

async function stream(
  pieces: readonly (string | Promise<unknown>)[],
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    } else {
      await piece;
    }
  }
}
