import { LARGEST_EVENT } from '../wire/limits.js';

/**
 * The data of each event of a stream (WHATWG HTML, 9.2), however its bytes are cut. A last event without the empty
 * line behind it counts: whether it is whole is for its JSON to say. Throws RangeError where an event is larger than
 * 4 MiB, and what the reading of the body throws.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const lines = new Lines();
  let data: string[] = [];
  let size = 0;
  for await (const line of lines.of(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      [data, size] = [[], 0];
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      size += line.length;
      if (size > LARGEST_EVENT) throw new RangeError(TOO_LARGE);
    }
  }
  if (data.length > 0) yield data.join('\n');
}

const TOO_LARGE = 'an event of the stream is larger than 4 MiB';

/** Cuts bytes into lines that end with LF, CR or both. */
class Lines {
  private readonly decoder = new TextDecoder();
  private pending = '';

  async *of(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
    const reader = body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      yield* this.take(this.decoder.decode(part.value, { stream: true }), false);
      if (this.pending.length > LARGEST_EVENT) throw new RangeError(TOO_LARGE);
    }
    yield* this.take(this.decoder.decode(), true);
    if (this.pending !== '') yield this.pending;
  }

  /** The lines that `text` completes. A CR at its end waits for what follows: an LF would belong to it. */
  private *take(text: string, isEnd: boolean): Generator<string, void, undefined> {
    // What is pending was looked through before, save for such a CR.
    const breaks = /\r\n|\n|\r/g;
    breaks.lastIndex = Math.max(0, this.pending.length - 1);
    const all = this.pending + text;
    let start = 0;
    for (let found = breaks.exec(all); found !== null; found = breaks.exec(all)) {
      if (found[0] === '\r' && breaks.lastIndex === all.length && !isEnd) break;
      yield all.slice(start, found.index);
      start = breaks.lastIndex;
    }
    this.pending = all.slice(start);
  }
}
