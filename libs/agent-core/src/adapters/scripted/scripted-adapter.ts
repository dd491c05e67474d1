import type { ConversationItem, ModelRequest } from '../../model/conversation.js';
import { encodeOnce } from '../../model/encode-once.js';
import type { ModelAdapter } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { digestOf } from '../../shared/digest.js';
import { byteLength } from '../../shared/text.js';
import { playInline } from './inline-script.js';
import { eventsOf, failureEvent } from './reply-events.js';
import type { Script, ScriptedReply } from './script.js';

/** The provider `scripted`: no model at all. For demos, tests and measurements. */
export interface ScriptedAdapter extends ModelAdapter {
  /** The requests that were sent, oldest first, at most 1,000; empty unless `record` was asked for. */
  readonly requests: readonly ModelRequest[];
}

const MOST_RECORDED = 1_000;

/**
 * A model's name is the name of a script; `inline` plays the script that stands in the conversation (inline-script.ts).
 * A script that throws, or that there is none of, gives a `bad_request`.
 */
export function createScriptedAdapter(
  scripts: Readonly<Record<string, Script>>,
  options: { readonly record?: boolean } = {},
): ScriptedAdapter {
  const known = new Map(Object.entries({ inline: playInline, ...scripts }));
  const requests: ModelRequest[] = [];
  const record = (request: ModelRequest) => {
    requests.push(request);
    if (requests.length > MOST_RECORDED) requests.shift();
  };
  return {
    revision: { adapter: 'scripted 1', sdk: 'none' },
    requests,
    prepare(request) {
      const body = encode(request);
      const requestBytes = byteLength(body);
      return {
        requestBytes,
        requestDigest: digestOf(body as JsonText),
        send(signal) {
          if (options.record) record(request);
          return play(known.get(request.choice.model), request, requestBytes, signal);
        },
      };
    },
  };
}

async function* play(
  script: Script | undefined,
  request: ModelRequest,
  requestBytes: number,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const reply = answer(script, request);
  if (reply.delayMs !== undefined) await passed(reply.delayMs, signal);
  if (signal.aborted) yield failureEvent({ code: 'aborted', message: 'the call was given up' });
  else yield* eventsOf(reply, request, requestBytes);
}

function answer(script: Script | undefined, request: ModelRequest): ScriptedReply {
  const refusal = (message: string): ScriptedReply => ({
    failure: { code: 'bad_request', message, neverSent: true },
  });
  if (script === undefined) return refusal(`there is no script named ${request.choice.model}`);
  try {
    return script(request);
  } catch (error) {
    return refusal(error instanceof Error ? error.message : 'the script failed');
  }
}

function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}

const itemText = encodeOnce((item: ConversationItem) => JSON.stringify(item));

/** A body as a provider would get one: its bytes and digest depend on everything that was asked. */
function encode({ conversation, ...head }: ModelRequest): string {
  const items = conversation.map((item) => itemText(item, ''));
  return `{"head":${JSON.stringify(head)},"conversation":[${items.join(',')}]}`;
}
