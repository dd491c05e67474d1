/** A reply of the scripted model: what it says, in neutral words, or exactly what goes over the wire. */
export type ModelReply = Completion | RawReply | StreamReply;

/** An ordinary reply: sent as a stream or as one JSON body, as the request asks. */
export interface Completion {
  readonly text?: string;
  readonly calls?: readonly ReplyCall[];
  /** OpenAI's finish reason; `tool_calls` where there are calls and `stop` otherwise. */
  readonly finish?: string;
  /** Null: the provider reports none. */
  readonly usage?: ReplyUsage | null;
}

export interface ReplyCall {
  /** Undefined: `call_<n>`, counted over the server's life. Null: the provider sends none. */
  readonly id?: string | null;
  readonly tool: string;
  /** A string goes out as it is, cut or wrong as it may be. */
  readonly arguments: string | Record<string, unknown>;
}

export interface ReplyUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens?: number;
  readonly prompt_tokens_details?: { cached_tokens: number };
  readonly completion_tokens_details?: { reasoning_tokens: number };
}

/** A whole HTTP answer, word for word: errors, recordings. */
export interface RawReply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** A stream written piece by piece. A promise among the pieces is awaited; `break` cuts the connection at the end. */
export interface StreamReply {
  readonly pieces: readonly (string | Promise<unknown>)[];
  readonly end: 'close' | 'break';
}

/** The usage of replies that do not say another. */
const USAGE: ReplyUsage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

interface WireCall {
  readonly id?: string;
  readonly type: 'function';
  readonly function: { name: string; arguments: string };
}

let calls = 0;
let completions = 0;

/** A completion as the JSON body of OpenAI's chat API. */
export function completionBody(reply: Completion, model: string): string {
  completions += 1;
  const toolCalls = wireCalls(reply);
  return JSON.stringify({
    id: `chatcmpl-${completions}`,
    object: 'chat.completion',
    created: 1_760_000_000,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text ?? null,
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        finish_reason: finishOf(reply),
      },
    ],
    ...usageOf(reply),
  });
}

/** The same as stream chunks: text in two halves, each call's arguments in two halves, then the end and the usage. */
export function completionChunks(reply: Completion, model: string): string[] {
  completions += 1;
  const id = `chatcmpl-${completions}`;
  const chunk = (delta: object, finish: string | null = null): string =>
    frame({
      id,
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const usage = usageOf(reply);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...halves(reply.text ?? '').map((content) => chunk({ content })),
    ...wireCalls(reply).flatMap((call, index) => [
      chunk({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] }),
      ...halves(call.function.arguments).map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]),
    chunk({}, finishOf(reply)),
    ...(usage.usage === undefined
      ? []
      : [
          frame({
            id,
            object: 'chat.completion.chunk',
            created: 1_760_000_000,
            model,
            choices: [],
            ...usage,
          }),
        ]),
    'data: [DONE]\n\n',
  ];
}

/** One `data:` frame of a stream. */
function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function wireCalls(reply: Completion): WireCall[] {
  return (reply.calls ?? []).map((call) => {
    calls += 1;
    const id = call.id === undefined ? `call_${calls}` : call.id;
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    return {
      ...(id === null ? {} : { id }),
      type: 'function',
      function: { name: call.tool, arguments: text },
    };
  });
}

function finishOf(reply: Completion): string {
  return reply.finish ?? (reply.calls === undefined || reply.calls.length === 0 ? 'stop' : 'tool_calls');
}

function usageOf(reply: Completion): { usage?: ReplyUsage } {
  return reply.usage === null ? {} : { usage: reply.usage ?? USAGE };
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '');
}
