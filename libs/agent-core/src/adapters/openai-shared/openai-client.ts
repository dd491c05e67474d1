import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { _iterSSEMessages } from 'openai/core/streaming';
import type { ModelAccess } from '../../model/model.js';
import type { SdkError } from '../wire/failure.js';
import { asObject } from '../wire/wire-value.js';

/**
 * The SDK's client for one call: its own retries off (the loop decides about them), silent, and deaf to the process's
 * environment, whose organization, project and headers are not for every tenant's server.
 */
export class OpenAiClient extends OpenAI {
  private readonly authorization: string | null;

  /** Throws where there is no base URL: the SDK would turn to OpenAI then, with a key that is not for OpenAI. */
  constructor(access: ModelAccess) {
    if (!access.baseUrl) throw new Error('the model has no base URL');
    super({
      apiKey: access.apiKey || 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: access.baseUrl,
      fetch: access.fetch,
      maxRetries: 0,
      logLevel: 'off',
    });
    delete this._options.defaultHeaders;
    this.authorization = access.apiKey === '' ? null : `Bearer ${access.apiKey}`;
  }

  /** Sends the body as it stands and gives the response as soon as its headers are there. Throws the SDK's errors. */
  send(path: string, body: string, signal: AbortSignal): Promise<Response> {
    const headers = { 'content-type': 'application/json', authorization: this.authorization };
    return this.post(path, { body, headers, signal, stream: true }).asResponse();
  }

  /** The SDK looks into `error` alone; other servers' bodies are flat, or a list with one entry. */
  protected override makeStatusError(
    status: number,
    body: object,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    const first: unknown = Array.isArray(body) ? body[0] : body;
    const error = asObject(first)?.error ?? first;
    return super.makeStatusError(status, { error }, message, headers);
  }
}

/** The messages of a streamed response as text: the SDK's own stream would parse them, and their digits would be lost. */
export const messagesOf = _iterSSEMessages;

/** What an error of OpenAI's SDK means; null where it is none, or only a connection that failed. */
export function readSdkError(error: unknown): SdkError | null {
  if (error instanceof APIUserAbortError) return { type: 'aborted' };
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return null;
  const { status, error: body, message, headers = null } = error;
  return status === undefined
    ? { type: 'in_reply', body }
    : { type: 'refused', status, body, message, headers };
}
