import type { ServerResponse } from 'node:http';

/** JSON text that goes into an answer as it is, so that no digit of a payload changes (invariant I12). */
export class RawJson {
  constructor(readonly text: string) {}
}

/** A stored JSON text as a member of an answer; null stays null. */
export function raw(text: string): RawJson;
export function raw(text: string | null): RawJson | null;
export function raw(text: string | null): RawJson | null {
  return text === null ? null : new RawJson(text);
}

/** An answer whose status or headers differ from what the route declares. */
export class Reply {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** JSON text of an answer: as JSON.stringify, with RawJson put in verbatim and dates as RFC 3339. */
export function toJson(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof RawJson) return value.text;
  if (typeof value !== 'object' || value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${toJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

interface ResponsePrototype {
  json: (this: ServerResponse, body: unknown) => unknown;
}

/** Replaces Express's `response.json`, through which every answer goes: lossless, no ETag, one write. */
export function installJsonReply(prototype: ResponsePrototype): void {
  prototype.json = function json(body: unknown) {
    if (!(body instanceof Reply)) return sendJson(this, body);
    this.statusCode = body.status;
    for (const [name, value] of Object.entries(body.headers)) this.setHeader(name, value);
    return sendJson(this, body.body);
  };
}

function sendJson(response: ServerResponse, body: unknown): void {
  if (body === undefined) {
    response.end();
    return;
  }
  const text = toJson(body);
  if (!response.hasHeader('content-type')) {
    response.setHeader('content-type', 'application/json; charset=utf-8');
  }
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(response.req.method === 'HEAD' ? undefined : text);
}
