import type { ModelEvent, ModelFailure, Usage } from '../../model/model-event.js';
import { ErrorInReply, UnusableReply } from '../wire/reply-error.js';
import { asObject } from '../wire/wire-value.js';
import { ReplyAssembly, type ReplySource } from './reply-assembly.js';

export interface DecodeContext extends ReplySource {
  /** Makes a failure of whatever ended the reply, with its usage where that was final. */
  readonly toFailure: (reason: unknown, usage: Usage | null) => ModelFailure;
  /** Whether the stream's `[DONE]` was seen; asked when the chunks have ended. */
  readonly doneSeen: () => boolean;
}

/** The chunks of a stream as events: deltas as they come, then one `response` or `failure`. Never throws. */
export async function* decodeStream(
  chunks: AsyncIterable<unknown>,
  context: DecodeContext,
): AsyncGenerator<ModelEvent, void, undefined> {
  const assembly = new ReplyAssembly(context);
  try {
    for await (const chunk of chunks) {
      if (isError(chunk)) throw new ErrorInReply(chunk);
      yield* assembly.addChunk(chunk);
      if (assembly.oversized) throw new UnusableReply('the arguments of a call are larger than 1 MiB');
    }
    if (!assembly.isComplete(context.doneSeen())) {
      throw new UnusableReply('the stream ended before the reply was complete');
    }
  } catch (reason) {
    yield { type: 'failure', failure: context.toFailure(reason, assembly.finalUsage) };
    return;
  }
  yield { type: 'response', response: assembly.response() };
}

/** A whole reply as events, the same as if it had been streamed. Never throws. */
export function decodeReply(reply: unknown, context: Omit<DecodeContext, 'doneSeen'>): readonly ModelEvent[] {
  const assembly = new ReplyAssembly(context);
  const fail = (reason: Error): readonly ModelEvent[] => [
    { type: 'failure', failure: context.toFailure(reason, assembly.usage) },
  ];
  if (isError(reply)) return fail(new ErrorInReply(reply));
  const deltas = assembly.addWhole(reply);
  if (deltas === null) return fail(new UnusableReply('the reply holds no message'));
  if (assembly.oversized) return fail(new UnusableReply('the arguments of a call are larger than 1 MiB'));
  return [...deltas, { type: 'response', response: assembly.response() }];
}

/** `{error: ...}` (OpenAI, OpenRouter) or `{object: 'error', ...}` (vLLM, Mistral). */
function isError(body: unknown): boolean {
  const known = asObject(body);
  return known !== null && ((known.error !== undefined && known.error !== null) || known.object === 'error');
}
