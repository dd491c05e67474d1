/** An answer of a model's server, word for word: a whole one, or a stream that ends or breaks after its pieces. */
export type WireReply =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: string }
  | { readonly pieces: readonly string[]; readonly end: 'close' | 'break' };

interface Fragment {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: string;
}

/** One chunk of a stream of OpenAI's chat API. */
export function chunk(delta: object, finish: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finish };
  return frame({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'machine', choices: [choice] });
}

/** A piece of a tool call. */
export function piece({ index, id, name, arguments: text }: Fragment): string {
  const called = { ...(name === undefined ? {} : { name }), arguments: text ?? '' };
  const where = { ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }) };
  return chunk({ tool_calls: [{ ...where, type: 'function', function: called }] });
}

/** A whole stream: these pieces, the word that ends the reply, and what it used. */
export function streamed(pieces: readonly string[], finish: string): WireReply {
  const usage = { prompt_tokens: 120, completion_tokens: 20, total_tokens: 140 };
  const end = [chunk({}, finish), frame({ choices: [], usage }), 'data: [DONE]\n\n'];
  return { pieces: [chunk({ role: 'assistant', content: '' }), ...pieces, ...end], end: 'close' };
}

export function refusedWith(status: number, code: string, headers: Record<string, string> = {}): WireReply {
  return { status, headers, body: JSON.stringify({ error: { message: `the server says ${code}`, code } }) };
}

function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
