/** As much of a stream's end as is looked at. */
const TAIL = 64;

/**
 * The same response, and whether its stream ended with `[DONE]`: the SDK swallows that line, and without it a stream
 * that was cut between two chunks looks like one that ended.
 */
export function watchForDone(response: Response): {
  readonly response: Response;
  readonly doneSeen: () => boolean;
} {
  let tail = '';
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      tail = (tail + Buffer.from(chunk.subarray(-TAIL)).toString('latin1')).slice(-TAIL);
      controller.enqueue(chunk);
    },
  });
  const body = response.body?.pipeThrough(watch) ?? null;
  return {
    response: new Response(body, { headers: response.headers }),
    doneSeen: () => /(^|[\r\n])data: ?\[DONE\]/.test(tail),
  };
}
