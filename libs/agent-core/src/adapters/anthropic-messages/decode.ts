import type { ModelEvent, ModelFailure, Usage } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { ErrorInReply, UnusableReply } from '../wire/reply-error.js';
import { asObject } from '../wire/wire-value.js';
import { ReplyAssembly, type ReplySource } from './reply-assembly.js';

export interface DecodeContext extends ReplySource {
  /** Makes a failure of whatever ended the reply, with its usage where that was final. */
  readonly toFailure: (reason: unknown, usage: Usage | null) => ModelFailure;
}

/**
 * The messages of a stream as events: deltas as they come, then one `response` or `failure`. Never throws. Only
 * `message_stop` makes a reply whole: a stream that stops elsewhere is cut, however whole it looks. Nothing is waited
 * for after it: a connection that is held open, or breaks then, takes nothing away.
 */
export async function* decodeStream(
  messages: AsyncIterable<{ readonly data: string }>,
  context: DecodeContext,
): AsyncGenerator<ModelEvent, void, undefined> {
  const assembly = new ReplyAssembly(context);
  let last: ModelEvent;
  try {
    for await (const { data } of messages) {
      if (data !== '') yield* assembly.add(readEvent(data), data as JsonText);
      if (assembly.isStopped) break;
    }
    if (!assembly.isStopped) throw new UnusableReply('the stream ended before the reply was complete');
    last = { type: 'response', response: assembly.response() };
  } catch (reason) {
    last = { type: 'failure', failure: context.toFailure(reason, assembly.finalUsage) };
  }
  yield last;
}

/** A whole reply as events, the same as if it had been streamed. Never throws. `reply` must be JSON. */
export function decodeReply(reply: JsonText, context: DecodeContext): readonly ModelEvent[] {
  const assembly = new ReplyAssembly(context);
  try {
    readEvent(reply);
    const deltas = assembly.addWhole(reply);
    return [...deltas, { type: 'response', response: assembly.response() }];
  } catch (reason) {
    return [{ type: 'failure', failure: context.toFailure(reason, assembly.usage) }];
  }
}

/** @throws ErrorInReply where the provider reports an error; SyntaxError where the text is no JSON. */
function readEvent(data: string): unknown {
  const event: unknown = JSON.parse(data);
  if (asObject(event)?.type === 'error') throw new ErrorInReply(event);
  return event;
}
