import { createHash, type Hash } from 'node:crypto';
import type { ConversationItem, ModelRequest } from '../../model/conversation.js';

import type { ModelAdapter, PreparedCall } from '../../model/model.js';
import type { ModelEvent } from '../../model/model-event.js';
import type { Digest } from '../../shared/brand.js';
import { foldOnce } from '../../shared/fold-once.js';
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
      const { requestBytes, requestDigest } = measure(request);
      return {
        requestBytes,
        requestDigest,
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

/** The part of a body that the conversation is, so far: a model that costs nothing must not hash it again each turn. */
interface Written {
  readonly hash: Hash;
  readonly bytes: number;
}

const written = foldOnce<ConversationItem, Written>(
  () => ({ hash: createHash('sha256'), bytes: 0 }),
  ({ hash, bytes }, item, index) => {
    const text = `${index === 0 ? '{"conversation":[' : ','}${JSON.stringify(item)}`;
    return { hash: hash.update(text), bytes: bytes + byteLength(text) };
  },
);

/** Bytes and digest of a body as a provider would get one: they depend on everything that was asked. */
function measure({
  conversation,
  ...head
}: ModelRequest): Pick<PreparedCall, 'requestBytes' | 'requestDigest'> {
  const { hash, bytes } = written(conversation);
  const end = `],"head":${JSON.stringify(head)}}`;
  return {
    requestBytes: bytes + byteLength(end),
    requestDigest: `sha256:${hash.copy().update(end).digest('hex')}` as Digest,
  };
}
