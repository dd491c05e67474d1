import { isJson } from './json-reply.js';
import { LARGEST_REPLY } from './limits.js';
import { UnusableReply } from './reply-error.js';
import { wholeEvents } from './whole-events.js';

/**
 * The same response, whose body breaks with an `UnusableReply` once more than `most` bytes of it were read; one that is
 * a stream of events comes in whole ones.
 */
export function limitedResponse(response: Response, most = LARGEST_REPLY): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > most) controller.error(new UnusableReply(`the reply is larger than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  const counted = response.body.pipeThrough(count);
  const isStream = response.ok && !isJson(response);
  const body = isStream ? counted.pipeThrough(wholeEvents()) : counted;
  return new Response(body, { status, statusText, headers });
}
