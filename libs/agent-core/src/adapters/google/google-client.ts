import { GoogleGenAI } from '@google/genai';
import type { ModelAccess } from '../../model/model.js';

export { readGoogleError as readSdkError } from './google-error.js';

/** One POST to one of Google's APIs. */
export interface GoogleRequest {
  /** Below the API's version, for example `models/gemini-3-pro:streamGenerateContent`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Beside the SDK's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, sent as it stands. */
  readonly body: string;
}

const GOOGLE_BASE_URL = 'https://generativelanguage.googleapis.com';

/**
 * The SDK's client for one call: it knows addresses, versions, headers and keys, and sends by our fetch, without
 * retries. Bodies pass it as text in both directions: its own methods would read numbers into doubles (docs/adr/0009).
 * What it would take from the process's environment (key, project, base URL) is always given here.
 */
export class GoogleClient extends GoogleGenAI {
  constructor(access: ModelAccess) {
    super({
      apiKey: access.apiKey || 'none',
      vertexai: false,
      httpOptions: { baseUrl: access.baseUrl || GOOGLE_BASE_URL, apiVersion: 'v1beta', fetch: access.fetch },
    });
  }

  /** Gives the response as soon as its headers are there. Throws the SDK's errors, an HTTP error status among them. */
  async post({ path, query, headers, body }: GoogleRequest, signal: AbortSignal): Promise<Response> {
    const { responseInternal } = await this.apiClient.request({
      path,
      queryParams: query,
      body,
      httpMethod: 'POST',
      httpOptions: { headers },
      abortSignal: signal,
    });
    return responseInternal;
  }
}
