import fc from 'fast-check';
import { readEvents } from '../google/server-sent-events.js';
import { limitedResponse } from './limited-response.js';
import { LARGEST_EVENT } from './limits.js';
import { UnusableReply } from './reply-error.js';

const streamed = { headers: { 'content-type': 'text/event-stream' } };

function bodyOf(pieces: readonly Uint8Array[], init: ResponseInit): ReadableStream<Uint8Array> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const { body } = limitedResponse(new Response(source, init));
  if (body === null) throw new Error('a response with a stream has a body');
  return body;
}

async function passed(pieces: readonly Uint8Array[], init: ResponseInit = streamed): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const piece of bodyOf(pieces, init)) found.push(Buffer.from(piece));
  return found;
}

/** A text cut at these places, whatever stands there. */
function cut(text: string, places: readonly number[]): readonly Uint8Array[] {
  const bytes = Buffer.from(text);
  const ordered = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return ordered.slice(1).map((place, index) => bytes.subarray(ordered[index], place));
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const line = fc.constantFrom('', ':', 'data: {"a":1}', 'data:é😀', 'event: ping', '\ufeff');
const streams = fc.array(fc.tuple(line, lineEnd), { maxLength: 20 }).map((lines) => lines.flat().join(''));

describe('a stream of events', () => {
  it('keeps every byte and every event, however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.array(fc.nat(), { maxLength: 10 }), async (text, places) => {
        const pieces = await passed(cut(text, places));
        expect(Buffer.concat(pieces).toString()).toBe(text);
        const alone: string[] = [];
        for (const piece of pieces) {
          for await (const data of readEvents(bodyOf([piece], { headers: {} }))) alone.push(data);
        }
        const together: string[] = [];
        for await (const data of readEvents(bodyOf(cut(text, places), { headers: {} }))) together.push(data);
        expect(alone).toEqual(together);
      }),
    );
  });

  it('comes in whole events, each as soon as its last byte is there', async () => {
    let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        feed = controller;
      },
    });
    const reader = limitedResponse(new Response(source, streamed)).body?.getReader();
    for (const part of ['data: 1', '\r', '\n\r', '\ndata: 2\n']) feed?.enqueue(Buffer.from(part));
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('data: 1\r\n\r\n');
    feed?.enqueue(Buffer.from('\n'));
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('data: 2\n\n');
    await reader?.cancel();
  });

  it('hands on long events as one piece and short ones a few at a time', async () => {
    const long = `data: ${'x'.repeat(100_000)}\n\n`;
    const parts = cut(
      long,
      Array.from({ length: 500 }, (_, index) => index * 200),
    );
    expect((await passed(parts)).map(({ length }) => length)).toEqual([long.length]);
    const short = await passed([Buffer.from(':\n\n'.repeat(20_000))]);
    expect(Math.max(...short.map(({ length }) => length))).toBeLessThan(2_048);
  });

  it('breaks where one event is larger than 4 MiB', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const most = LARGEST_EVENT / piece.length;
    await expect(passed(Array(most).fill(piece))).resolves.toHaveLength(1);
    await expect(passed(Array(most + 1).fill(piece))).rejects.toThrow(UnusableReply);
  });

  it('is no body of JSON and no error: those come as they are', async () => {
    const piece = Buffer.alloc(LARGEST_EVENT + 1, 'x');
    await expect(passed([piece], { headers: { 'content-type': 'application/json' } })).resolves.toHaveLength(
      1,
    );
    await expect(passed([piece], { ...streamed, status: 500 })).resolves.toHaveLength(1);
  });
});
