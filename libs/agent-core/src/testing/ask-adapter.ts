import { readConfigureGlobal } from 'fast-check';
import type { ModelRequest } from '../model/conversation.js';
import type { ModelAdapter } from '../model/model.js';
import type { ModelEvent } from '../model/model-event.js';
import { type RecordedReply, serveRecorded } from './recorded-server.js';
import type { WireReply } from './wire-data.js';

/** An adapter and what it is asked. */
export interface Question {
  readonly adapter: ModelAdapter;
  readonly request: ModelRequest;
}

/** The least that a model can be asked. */
export function greeting(provider: ModelRequest['choice']['provider'], model = 'm'): ModelRequest {
  return {
    choice: { provider, model },
    maxOutputTokens: 100,
    instructions: '',
    conversation: [{ role: 'user', text: 'hello' }],
    tools: [],
    toolChoice: 'auto',
  };
}

/** Plays a reply to an adapter through a real server and gives the adapter's events. */
export async function ask(question: Question, reply: RecordedReply): Promise<readonly ModelEvent[]> {
  const server = await serveRecorded(() => reply);
  try {
    return await askAt(question, server.url, globalThis.fetch);
  } finally {
    await server.close();
  }
}

/** The body that goes out for a request to a server of the address that `askLocally` uses. */
export async function bodyOf(question: Question): Promise<string> {
  const bodies: string[] = [];
  await askAt(question, LOCAL_URL, async (_, init) => {
    bodies.push(String(init?.body));
    return new Response('{}', { status: 500 });
  });
  return bodies.join('');
}

const LOCAL_URL = 'http://127.0.0.1';

/** Without a network: for the thousands of ways to split a reply. */
export function askLocally(
  question: Question,
  { status, headers }: Pick<WireReply, 'status' | 'headers'>,
  pieces: readonly Uint8Array[],
): Promise<readonly ModelEvent[]> {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return askAt(question, LOCAL_URL, async () => new Response(body, { status, headers }));
}

async function askAt(
  { adapter, request }: Question,
  baseUrl: string,
  fetch: typeof globalThis.fetch,
): Promise<readonly ModelEvent[]> {
  const call = adapter.prepare(request, { apiKey: 'key-1', baseUrl, fetch });
  const events: ModelEvent[] = [];
  for await (const event of call.send(new AbortController().signal)) events.push(event);
  return events;
}

/** Whether FAST_CHECK_RUNS asks to try harder than is usual. */
const isLongRun = (): boolean => (readConfigureGlobal().numRuns ?? 0) > 0;

/** Places before the byte at `end`, spread over all of them, at which a reply is cut or split in two: more in a long run. */
export function placesBefore(end: number): readonly number[] {
  if (end < 1) throw new Error('nothing comes before the end');
  // What is before each place is read anew: to try all of a large reply takes hours.
  const stride = Math.ceil(end / (isLongRun() ? 2_000 : 50));
  return Array.from({ length: Math.ceil(end / stride) }, (_, index) => index * stride);
}

/** Reading a larger reply byte by byte takes time that grows with its square: that is left to long runs. */
const LARGE = 8_192;

/**
 * Each byte of a reply as a piece of its own; a large one in pieces of one to 64 bytes, cut at places that look random and
 * are the same each time, save where FAST_CHECK_RUNS asks for a long run.
 */
export function smallPieces({ body }: WireReply): readonly Uint8Array[] {
  if (isLongRun() || body.length <= LARGE) return Array.from(body, (byte) => Uint8Array.of(byte));
  const pieces: Uint8Array[] = [];
  let random = body.length;
  for (let from = 0; from < body.length; ) {
    // Park and Miller's generator (1988): whole numbers below 2^31.
    random = (random * 16_807) % 2_147_483_647;
    const to = from + 1 + (random % 64);
    pieces.push(body.subarray(from, to));
    from = to;
  }
  return pieces;
}

/** A recorded reply in one piece. */
export function whole({ status, headers, body }: WireReply): RecordedReply {
  return { status, headers, pieces: [body] };
}
