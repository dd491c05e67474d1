import type { Api } from './client.js';

/** One frame of a server-sent stream. `id` and `event` are null where the frame has none. */
export interface StreamFrame {
  readonly id: string | null;
  readonly event: string | null;
  readonly data: string;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** Frames as they arrive; ends where the server closes. */
  readonly frames: AsyncGenerator<StreamFrame>;
  /** Comment lines seen so far. */
  readonly comments: readonly string[];
  close(): void;
}

/** Opens a stream of the API, resuming behind `lastEventId` where it is given. */
export async function openEventStream(api: Api, path: string, lastEventId?: string): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(`${api.baseUrl}${path}`, {
    headers: {
      ...api.fields,
      accept: 'text/event-stream',
      ...(api.key === null ? {} : { authorization: `Bearer ${api.key}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  });
  const comments: string[] = [];
  return {
    status: response.status,
    headers: response.headers,
    frames: readFrames(response, comments),
    comments,
    close: () => abort.abort(),
  };
}

/** Reads frames until one satisfies `last` (which is included) or the server closes. What follows can be read after. */
export async function readUntil(
  stream: EventStream,
  last: (frame: StreamFrame) => boolean = () => false,
): Promise<StreamFrame[]> {
  const frames: StreamFrame[] = [];
  for (;;) {
    // Not `for await`: leaving it would end the stream.
    const { value, done } = await stream.frames.next();
    if (done === true) return frames;
    frames.push(value);
    if (last(value)) return frames;
  }
}

async function* readFrames(response: Response, comments: string[]): AsyncGenerator<StreamFrame> {
  if (response.body === null) return;
  let buffer = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    buffer += text;
    for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
      const frame = readFrame(buffer.slice(0, end), comments);
      buffer = buffer.slice(end + 2);
      if (frame !== null) yield frame;
    }
  }
}

function readFrame(block: string, comments: string[]): StreamFrame | null {
  let id: string | null = null;
  let event: string | null = null;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === '') comments.push(value);
    if (field === 'id') id = value;
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return id === null && event === null && data.length === 0 ? null : { id, event, data: data.join('\n') };
}
