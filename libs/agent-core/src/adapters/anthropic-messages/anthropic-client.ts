import Anthropic, { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/streaming';
import type { ModelAccess } from '../../model/model.js';
import type { SdkError } from '../wire/failure.js';

/**
 * The SDK's client for one call: its own retries off (the loop decides about them), silent, without traces, and deaf
 * to the process's environment, whose tokens and headers are not for every tenant's server.
 */
export class AnthropicClient extends Anthropic {
  constructor(access: ModelAccess & { readonly baseUrl: string }) {
    super({
      apiKey: access.apiKey,
      authToken: null,
      webhookKey: null,
      baseURL: access.baseUrl,
      fetch: access.fetch,
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: false,
    });
    // Whatever ANTHROPIC_CUSTOM_HEADERS put there; the SDK offers no other way to leave it out.
    Reflect.set(this, '_options', {});
  }

  /**
   * Sends the body as it stands and gives the response as soon as its headers are there. The key goes out as the API
   * documents it: this SDK would send a bearer token, which proxies that speak the API need not know. Throws the SDK's
   * errors.
   */
  send(body: string, signal: AbortSignal): Promise<Response> {
    const headers = { 'content-type': 'application/json', 'x-api-key': this.apiKey, authorization: null };
    return this.post('/v1/messages', { body, headers, signal, stream: true }).asResponse();
  }
}

/** The events of a streamed response, their data as text. */
export function eventsOf(response: Response, controller: AbortController) {
  return Stream.rawEvents(response, controller);
}

/** What an error of Anthropic's SDK means; null where it is none, or only a connection that failed. */
export function readSdkError(error: unknown): SdkError | null {
  if (error instanceof APIUserAbortError) return { type: 'aborted' };
  if (!(error instanceof APIError) || error instanceof APIConnectionError) return null;
  const { status, error: body, message, headers = null } = error;
  return status === undefined
    ? { type: 'in_reply', body }
    : { type: 'refused', status, body, message, headers };
}
