import type { Hint } from '../platform/relay.js';
import { toJson } from '../platform/reply.js';
import type { HttpResponse } from '../platform/tenant-context.js';

/*
 * Server-sent events as the HTML standard frames them. Only stored events carry an id, so that `Last-Event-ID` always
 * names a place in the run's history.
 */

/** A comment: it keeps proxies and clients from taking a quiet stream for a dead one. */
export const KEEP_ALIVE = ': keep-alive\n\n';
export const KEEP_ALIVE_MS = 15_000;

/** A stored event; its `seq` is the id to resume behind. */
export function eventFrame(event: { readonly seq: number; readonly type: string }): string {
  return `id: ${event.seq}\nevent: ${event.type}\n${dataLines(toJson(event))}\n`;
}

/** Live text, which is not stored and has no place to resume from. */
export function deltaFrame(delta: object): string {
  return `event: delta\n${dataLines(toJson(delta))}\n`;
}

/** News of a run: where it stands now. Lost ones are not repeated. */
export function hintFrame({ runId, seq, status }: Hint): string {
  return `event: run\n${dataLines(toJson({ runId, seq, status }))}\n`;
}

/** Begins a stream: from here on the answer has no end of its own, and no proxy may keep or hold back its parts. */
export function openStream(response: HttpResponse): void {
  response.setHeader('content-type', 'text/event-stream; charset=utf-8');
  response.setHeader('cache-control', 'no-store, no-transform');
  response.setHeader('x-accel-buffering', 'no');
  // A proxy that passes the head on with the first bytes only, as Next's does, passes it on now.
  response.write(': open\n\n');
}

/** A payload may hold line breaks between its tokens: each line needs its own field, and the reader joins them again. */
function dataLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('');
}
