import type { JsonText } from '../../shared/brand.js';
import { writeJson } from '../../shared/canonical-json.js';
import { type JsonValue, readJson } from '../../shared/json.js';
import { asList, asObject, type WireObject } from '../wire/wire-value.js';

/**
 * A chunk of a stream, or a whole reply. Some servers send a call's arguments as a value instead of its text: they
 * become a text here, with every digit as it came (invariant I12).
 * @throws SyntaxError where the text is no JSON, or where such a value has a key twice.
 */
export function readChunk(text: string): unknown {
  const chunk: unknown = JSON.parse(text);
  const functions = functionsOf(chunk);
  if (functions.every(({ arguments: given }) => isText(given))) return chunk;
  const exact = functionsOf(readJson(text as JsonText));
  for (const [index, called] of functions.entries()) {
    if (isText(called.arguments)) continue;
    Object.assign(called, { arguments: writeJson(exact[index]?.arguments as JsonValue) });
  }
  return chunk;
}

/** The chunks of a stream up to its `[DONE]`, which calls `onDone`; what may come after it is not waited for. */
export async function* readChunks(
  messages: AsyncIterable<{ readonly data: string }>,
  onDone: () => void,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of messages) {
    if (data.startsWith('[DONE]')) return onDone();
    if (data !== '') yield readChunk(data);
  }
}

/** Nothing at all is a text, too: the arguments may come later. */
function isText(given: unknown): boolean {
  return typeof given === 'string' || given === undefined || given === null;
}

/** What is called, wherever it stands in a chunk or a whole reply. */
function functionsOf(body: unknown): readonly WireObject[] {
  return asList(asObject(body)?.choices)
    .map(asObject)
    .flatMap((choice) => [asObject(choice?.delta), asObject(choice?.message)])
    .flatMap((said) => [
      ...asList(said?.tool_calls).map((call) => asObject(call)?.function),
      said?.function_call,
    ])
    .map(asObject)
    .filter((called) => called !== null);
}
