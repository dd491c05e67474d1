import type { IncomingMessage, ServerResponse } from 'node:http';
import { WIRE_CASES } from './wire-cases.js';
import { refusedWith, type WireReply } from './wire-reply.js';

/**
 * A small server of OpenAI's chat API. The last user message names the case; how often that case was asked for says
 * which of its replies comes, and after the last the first comes again.
 */
export class WireServer {
  private readonly asked = new Map<string, number>();

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const part of request) chunks.push(part as Buffer);
    const reply = this.replyTo(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    if ('status' in reply) {
      response
        .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
        .end(reply.body);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const text of reply.pieces)
      await new Promise<void>((resolve) => response.write(text, () => resolve()));
    if (reply.end === 'break') response.destroy();
    else response.end();
  }

  private replyTo(body: { readonly messages: readonly { role: string; content?: unknown }[] }): WireReply {
    const name = String(body.messages.findLast(({ role }) => role === 'user')?.content ?? '');
    const replies = new Map(Object.entries(WIRE_CASES)).get(name) ?? [];
    const asked = this.asked.get(name) ?? 0;
    this.asked.set(name, asked + 1);
    return replies[asked % replies.length] ?? refusedWith(400, 'there_is_no_such_case');
  }
}
