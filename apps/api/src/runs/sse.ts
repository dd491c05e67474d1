import { toJson } from '../platform/reply.js';

/*
 * Server-sent events as the HTML standard frames them. Only stored events carry an id, so that `Last-Event-ID` always
 * names a place in the run's history.
 */

/** A comment: it keeps proxies and clients from taking a quiet stream for a dead one. */
export const KEEP_ALIVE = ': keep-alive\n\n';

/** A stored event; its `seq` is the id to resume behind. */
export function eventFrame(event: { readonly seq: number; readonly type: string }): string {
  return `id: ${event.seq}\nevent: ${event.type}\n${dataLines(toJson(event))}\n`;
}

/** Live text, which is not stored and has no place to resume from. */
export function deltaFrame(delta: object): string {
  return `event: delta\n${dataLines(toJson(delta))}\n`;
}

/** A payload may hold line breaks between its tokens: each line needs its own field, and the reader joins them again. */
function dataLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('');
}
