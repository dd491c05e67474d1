import { Stream } from 'openai/streaming';
import { VERSION } from 'openai/version';
import type { ModelRequest } from '../../model/conversation.js';
import type { ModelAccess, ModelAdapter } from '../../model/model.js';
import type { ModelEvent, Usage } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { digestOf } from '../../shared/digest.js';
import { byteLength } from '../../shared/text.js';
import { ChatClient } from './chat-client.js';
import { type DecodeContext, decodeReply, decodeStream, UnusableReply } from './decode.js';
import { watchForDone } from './done-watch.js';
import { encodeChatRequest } from './encode.js';
import { failureOf } from './failure.js';
import { serverName } from './raw-fields.js';

const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** Chat Completions: OpenAI's, and that of the many servers that speak it (`openai-compatible`). */
export function createOpenAiChatAdapter(): ModelAdapter {
  return {
    revision: { adapter: 'openai-chat 1', sdk: `openai ${VERSION}` },
    prepare(request, access) {
      const { provider } = request.choice;
      const baseUrl = access.baseUrl || (provider === 'openai' ? OPENAI_BASE_URL : '');
      const server = serverName(provider, baseUrl);
      const body = encodeChatRequest(request, server);
      return {
        requestBytes: byteLength(body),
        requestDigest: digestOf(body as JsonText),
        send: (signal) => send({ request, access: { ...access, baseUrl }, server, body }, signal),
      };
    },
  };
}

interface Prepared {
  readonly request: ModelRequest;
  readonly access: ModelAccess;
  readonly server: string;
  readonly body: string;
}

/** One attempt. The abort of an attempt is its own, so that nothing stays tied to the caller's long-lived signal. */
async function* send(prepared: Prepared, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
  const attempt = new Attempt(prepared, signal);
  try {
    yield* attempt.events();
  } finally {
    attempt.end();
  }
}

class Attempt {
  private readonly controller = new AbortController();
  private readonly abort = () => this.controller.abort();
  private wasTried = false;
  private transportError: unknown = null;

  constructor(
    private readonly prepared: Prepared,
    private readonly signal: AbortSignal,
  ) {
    if (signal.aborted) this.abort();
    else signal.addEventListener('abort', this.abort, { once: true });
  }

  async *events(): AsyncGenerator<ModelEvent, void, undefined> {
    let client: ChatClient;
    let response: Response;
    let whole: unknown;
    try {
      client = new ChatClient({ ...this.prepared.access, fetch: this.fetch });
      response = await client.complete(this.prepared.body, this.controller.signal);
      if (isJson(response)) whole = await readJson(response);
    } catch (error) {
      yield { type: 'failure', failure: this.toFailure(error, null) };
      return;
    }
    if (isJson(response)) yield* decodeReply(whole, this.context());
    else yield* this.streamed(response, client);
  }

  /** Lets go of the caller's signal, and of a response that nobody reads to its end. */
  end(): void {
    this.signal.removeEventListener('abort', this.abort);
    this.controller.abort();
  }

  private streamed(response: Response, client: ChatClient): AsyncGenerator<ModelEvent> {
    const watched = watchForDone(response);
    const chunks = Stream.fromSSEResponse<unknown>(watched.response, this.controller, client);
    return decodeStream(chunks, { ...this.context(), doneSeen: watched.doneSeen });
  }

  private readonly fetch: typeof globalThis.fetch = async (input, init) => {
    this.wasTried = true;
    try {
      return await this.prepared.access.fetch(input, init);
    } catch (error) {
      this.transportError = error;
      throw error;
    }
  };

  private context(): Omit<DecodeContext, 'doneSeen'> {
    const { request, server } = this.prepared;
    return { choice: request.choice, server, toFailure: (reason, usage) => this.toFailure(reason, usage) };
  }

  private toFailure(error: unknown, usage: Usage | null) {
    const { transportError, wasTried } = this;
    const { apiKey } = this.prepared.access;
    return failureOf(error, {
      apiKey,
      wasAborted: this.signal.aborted,
      wasTried,
      transportError,
      usage,
      now: Date.now(),
    });
  }
}

/** A server may answer with one JSON body although a stream was asked for; its content type decides. */
function isJson(response: Response): boolean {
  return /\bjson\b/i.test(response.headers.get('content-type') ?? '');
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableReply('the reply is no JSON although its content type says so');
  }
}
