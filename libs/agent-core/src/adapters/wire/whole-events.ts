import { EventEnds } from './event-ends.js';
import { LARGEST_EVENT } from './limits.js';
import { UnusableReply } from './reply-error.js';

/** Small events go on together up to about so many bytes: what looks for their ends then has little to copy. */
const PIECE = 1024;

/**
 * The same stream of events, cut at the ends of events alone: each goes on once its last byte has come. What reads
 * events in the SDKs looks through all that it holds with every piece that comes, and copies it with every event in it;
 * that costs the square of a long event, or of many short ones, and holds up every run of the process meanwhile. The
 * stream breaks with an `UnusableReply` where an event is larger than 4 MiB; an end that is none goes on as it is.
 */
export function wholeEvents(): TransformStream<Uint8Array, Uint8Array> {
  const ends = new EventEnds();
  let held: Uint8Array[] = [];
  let size = 0;
  const hold = (bytes: Uint8Array) => {
    if (bytes.byteLength > 0) held.push(bytes);
    size += bytes.byteLength;
    if (size > LARGEST_EVENT) throw new UnusableReply('an event of the stream is larger than 4 MiB');
  };
  const pass = (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (size > 0) controller.enqueue(Buffer.concat(held));
    [held, size] = [[], 0];
  };
  return new TransformStream({
    transform(chunk, controller) {
      const found = ends.within(chunk);
      let start = 0;
      for (const [index, end] of found.entries()) {
        if (end - start < PIECE && index < found.length - 1) continue;
        hold(chunk.subarray(start, end));
        pass(controller);
        start = end;
      }
      hold(chunk.subarray(start));
    },
    flush: pass,
  });
}
