import { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import type { SdkError } from '../wire/failure.js';

/** What an error of OpenAI's SDK means; null where it is none, or only a connection that failed. */
export function readOpenAiError(error: unknown): SdkError | null {
  if (error instanceof APIUserAbortError) return { type: 'aborted' };
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return null;
  const { status, error: body, message, headers = null } = error;
  return status === undefined
    ? { type: 'in_reply', body }
    : { type: 'refused', status, body, message, headers };
}
