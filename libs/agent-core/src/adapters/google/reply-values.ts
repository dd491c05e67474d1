import { type JsonValue, parseJson } from '../../shared/json.js';
import { isJson } from '../wire/json-reply.js';
import { UnusableReply } from '../wire/reply-error.js';
import { readEvents } from './server-sent-events.js';

/** Levels of objects and lists that are read; arguments that are deeper than theirs may be are refused later, in words. */
const MAX_DEPTH = 250;

/**
 * What a response holds, with every digit: the events of a stream, or one JSON body, as proxies answer although a
 * stream was asked for. A body that is a list holds what would have been events. Throws UnusableReply where something
 * is no JSON, and what the reading of the body throws.
 */
export async function* replyValues(response: Response): AsyncGenerator<JsonValue, void, undefined> {
  if (isJson(response)) {
    const value = read(await response.text(), 'the reply is no JSON although its content type says so');
    if (Array.isArray(value)) yield* value;
    else yield value;
  } else if (response.body !== null) {
    for await (const data of readEvents(response.body)) {
      if (data === '[DONE]') return;
      yield read(data, 'an event of the stream is no JSON');
    }
  }
}

function read(text: string, otherwise: string): JsonValue {
  const parsed = parseJson(text, { maxDepth: MAX_DEPTH });
  if (!parsed.ok) throw new UnusableReply(`${otherwise}: ${parsed.error.message}`);
  return parsed.value;
}
