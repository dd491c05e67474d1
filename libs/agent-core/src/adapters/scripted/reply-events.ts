import type { ModelRequest } from '../../model/conversation.js';
import type {
  ModelEvent,
  ModelFailure,
  ModelResponse,
  ProposedCall,
  Usage,
} from '../../model/model-event.js';
import { byteLength } from '../../shared/text.js';
import type { ScriptedCall, ScriptedReply } from './script.js';

/** Bytes of a token, about as it is for English text. */
const BYTES_PER_TOKEN = 4;

/** A scripted reply as the events of a model. `requestBytes` are those of the request it answers. */
export function eventsOf(
  reply: ScriptedReply,
  request: ModelRequest,
  requestBytes: number,
): readonly ModelEvent[] {
  if (reply.failure !== undefined) return [failureEvent(reply.failure)];
  const response = responseOf(reply, request, requestBytes);
  const pieces = reply.deltas ?? (response.text === '' ? [] : [response.text]);
  return [
    ...pieces.map((text): ModelEvent => ({ type: 'text_delta', text })),
    ...response.calls.map(({ tool }, index): ModelEvent => ({ type: 'call_delta', index, tool })),
    { type: 'response', response },
  ];
}

export function failureEvent(failure: Partial<ModelFailure> & Pick<ModelFailure, 'code'>): ModelEvent {
  const message = `the script says ${failure.code}`;
  const rest = { status: null, neverSent: false, retryAfterMs: null, usage: null };
  return { type: 'failure', failure: { message, ...rest, ...failure } };
}

function responseOf(reply: ScriptedReply, request: ModelRequest, requestBytes: number): ModelResponse {
  const calls = callsOf(reply.calls ?? [], request);
  const text = reply.text ?? reply.deltas?.join('') ?? '';
  const refusal = reply.refusal ?? null;
  const usual = refusal !== null ? 'refusal' : calls.length > 0 ? 'tool_calls' : 'stop';
  const finish = reply.finish ?? usual;
  const written = byteLength(
    text + (refusal ?? '') + calls.map((call) => call.tool + call.arguments).join(''),
  );
  return {
    responseId: null,
    model: request.choice.model,
    text,
    refusal,
    calls,
    finish: { unified: finish, raw: finish },
    usage: reply.usage === undefined ? usageOf(requestBytes, written) : reply.usage,
    raw: [],
  };
}

function callsOf(calls: readonly ScriptedCall[], request: ModelRequest): readonly ProposedCall[] {
  if (calls.length === 0) return [];
  const before = request.conversation.reduce(
    (sum, item) => sum + (item.role === 'assistant' ? item.calls.length : 0),
    0,
  );
  return calls.map((call, index) => ({
    providerCallId: call.id === undefined ? `call_${before + index + 1}` : call.id,
    tool: call.tool,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  }));
}

/** The whole request is the upper bound of a call's input (admission), so this stays below it. */
function usageOf(requestBytes: number, writtenBytes: number): Usage {
  return {
    inputTokens: Math.ceil(requestBytes / BYTES_PER_TOKEN),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: Math.ceil(writtenBytes / BYTES_PER_TOKEN),
    reasoningTokens: 0,
  };
}
