/** One event of a server-sent stream. */
export interface StreamedEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Reads server-sent events (WHATWG HTML, 9.2) out of an answer's body; comments are skipped. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      yield* blocks.map(readBlock).filter((event) => event !== null);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readBlock(block: string): StreamedEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      const before = fields.get(name);
      fields.set(name, name === 'data' && before !== undefined ? `${before}\n${value}` : value);
    }
  }
  const data = fields.get('data');
  return data === undefined
    ? null
    : { id: fields.get('id') ?? null, event: fields.get('event') ?? 'message', data };
}
