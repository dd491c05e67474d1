import { UnusableReply } from './reply-error.js';

/** A server may answer with one JSON body although a stream was asked for; its content type decides. */
export function isJson(response: Response): boolean {
  return /\bjson\b/i.test(response.headers.get('content-type') ?? '');
}

/**
 * The text of a JSON body, and its value.
 * @throws UnusableReply where it is no JSON.
 */
export async function readJson(
  response: Response,
): Promise<{ readonly text: string; readonly value: unknown }> {
  const text = await response.text();
  try {
    return { text, value: JSON.parse(text) as unknown };
  } catch {
    throw new UnusableReply('the reply is no JSON although its content type says so');
  }
}
