import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { startLoopbackServer } from './loopback-server.js';

/** A call as it arrived: at the tool itself, at its `check` or at its `reconcile`. */
export interface ToolRequest {
  readonly purpose: 'call' | 'check' | 'reconcile';
  readonly tool: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  readonly body: {
    readonly tool: string;
    readonly arguments: Record<string, unknown>;
    readonly context: {
      readonly tenant: string;
      readonly runId: string;
      readonly toolCallId: string;
      readonly operationId: string;
      readonly subject: unknown;
    };
  };
  readonly idempotencyKey: string | null;
  /** By the standardwebhooks package, against the secret handed to `trust`. */
  readonly signature: 'valid' | 'invalid' | 'not_checked';
}

/** How a request ends. */
export type ToolEnding =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  /** Nothing more is sent until the promise is fulfilled; then the connection is cut. */
  | { readonly hang: Promise<unknown> }
  /** The connection is cut: before a byte of the answer, or in the middle of it. */
  | { readonly cut: 'before_answer' | 'inside_answer' };

export type ToolHandler = (request: ToolRequest) => ToolEnding | Promise<ToolEnding>;

export interface ToolServer {
  readonly requests: readonly ToolRequest[];
  /** How often each key had its effect; a handler says so with `apply`. */
  readonly effects: ReadonlyMap<string, number>;
  /** The tool `name` lives at `<url>/name`, its questions at `<url>/name/check` and `<url>/name/reconcile`. */
  readonly url: string;
  urlOf(tool: string, purpose?: ToolRequest['purpose']): string;
  on(tool: string, handler: ToolHandler): void;
  onCheck(tool: string, handler: ToolHandler): void;
  onReconcile(tool: string, handler: ToolHandler): void;
  /** From now on signatures of this tool are checked with this secret (`whsec_...`). */
  trust(tool: string, secret: string): void;
  /** Records an effect under the request's key and remembers its output for `reconcile`. */
  apply(request: ToolRequest, output: unknown): void;
  calls(tool: string, purpose?: ToolRequest['purpose']): ToolRequest[];
  close(): Promise<void>;
}

/** An HTTP tool server with a ledger. `check` says ok and `reconcile` answers from the ledger until told otherwise. */
export async function startToolServer(): Promise<ToolServer> {
  const requests: ToolRequest[] = [];
  const handlers = new Map<string, ToolHandler>();
  const secrets = new Map<string, string>();
  const effects = new Map<string, number>();
  const outputs = new Map<string, unknown>();
  const fallback: Record<ToolRequest['purpose'], ToolHandler> = {
    call: () => ({ status: 404, body: { detail: 'no such tool here' } }),
    check: () => ({ status: 200, body: { ok: true, facts: {}, message: 'nothing changed' } }),
    reconcile: ({ idempotencyKey }) => {
      const happened = idempotencyKey !== null && effects.has(idempotencyKey);
      const outcome = happened
        ? { outcome: 'happened', output: outputs.get(idempotencyKey) }
        : { outcome: 'did_not_happen' };
      return { status: 200, body: outcome };
    },
  };
  const server = await startLoopbackServer(async (incoming, rawBody, response) => {
    const [, tool = '', purpose = 'call'] = (incoming.url ?? '').split('/').map(decodeURIComponent);
    const request = readRequest(incoming.headers, rawBody, tool, purpose, secrets);
    requests.push(request);
    const handler = handlers.get(`${request.purpose}/${request.tool}`) ?? fallback[request.purpose];
    await finish(await handler(request), response);
  });
  return {
    requests,
    effects,
    url: server.url,
    urlOf: (tool, purpose = 'call') =>
      `${server.url}/${encodeURIComponent(tool)}${purpose === 'call' ? '' : `/${purpose}`}`,
    on: (tool, handler) => handlers.set(`call/${tool}`, handler),
    onCheck: (tool, handler) => handlers.set(`check/${tool}`, handler),
    onReconcile: (tool, handler) => handlers.set(`reconcile/${tool}`, handler),
    trust: (tool, secret) => secrets.set(tool, secret),
    apply: (request, output) => {
      const key = request.idempotencyKey ?? '';
      effects.set(key, (effects.get(key) ?? 0) + 1);
      outputs.set(key, output);
    },
    calls: (tool, purpose = 'call') =>
      requests.filter((request) => request.tool === tool && request.purpose === purpose),
    close: server.close,
  };
}

function readRequest(
  headers: IncomingHttpHeaders,
  rawBody: string,
  tool: string,
  purpose: string,
  secrets: ReadonlyMap<string, string>,
): ToolRequest {
  if (purpose !== 'call' && purpose !== 'check' && purpose !== 'reconcile') {
    throw new Error(`no such path: ${purpose}`);
  }
  const key = headers['idempotency-key'];
  return {
    purpose,
    tool,
    headers,
    rawBody,
    body: JSON.parse(rawBody) as ToolRequest['body'],
    idempotencyKey: typeof key === 'string' ? key : null,
    signature: verify(headers, rawBody, secrets.get(tool)),
  };
}

function verify(
  headers: IncomingHttpHeaders,
  rawBody: string,
  secret: string | undefined,
): ToolRequest['signature'] {
  if (secret === undefined) return 'not_checked';
  try {
    new Webhook(secret).verify(rawBody, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
    return 'valid';
  } catch {
    return 'invalid';
  }
}

async function finish(ending: ToolEnding, response: ServerResponse): Promise<void> {
  if ('hang' in ending) {
    await ending.hang;
    response.destroy();
    return;
  }
  if ('cut' in ending) {
    if (ending.cut === 'inside_answer') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      await new Promise<void>((resolve) => response.write('{"half":', () => resolve()));
    }
    response.destroy();
    return;
  }
  const body = ending.body === undefined ? '' : JSON.stringify(ending.body);
  response.writeHead(ending.status, {
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
    ...ending.headers,
  });
  response.end(body);
}
