import { parseExactly, writeExactly } from './exact-json';
import { readProblem, unreachable } from './problem';

/** Values of a query string; what is null, undefined or empty is left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The slug or id of the tenant; null where the answer depends on none. */
  readonly tenant: string | null;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the API at this page's own origin. Numbers of the answer keep their digits (`parseExactly`); 204 is undefined.
 * The shapes are the API's to keep: its answers are built from the same contracts, and are not checked here again.
 *
 * @throws ApiProblem for whatever is not a 2xx, and AbortError where `signal` ended it
 */
export async function request<Answer>(path: string, asked: Asked): Promise<Answer> {
  const response = await ask(path, asked);
  const text = await response.text();
  return (text === '' ? undefined : parseExactly(text)) as Answer;
}

interface AskedForStream extends Asked {
  readonly accept?: string;
  /** The id of the last event that was read: the stream goes on behind it. */
  readonly lastEventId?: string | null;
}

/** As `request`, but hands over the answer unread: for streams. */
export async function ask(path: string, asked: AskedForStream): Promise<Response> {
  const { method = 'GET', tenant, query = {}, body, signal } = asked;
  const { accept = 'application/json', lastEventId = null } = asked;
  const response = await fetch(path + queryString(query), {
    method,
    headers: {
      accept,
      ...(tenant === null ? {} : { 'x-tenant': tenant }),
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : writeExactly(body),
    signal: signal ?? null,
    credentials: 'same-origin',
    cache: 'no-store',
  }).catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : unreachable();
  });
  if (!response.ok) {
    throw await readProblem(response);
  }
  return response;
}

/** `?a=1&b=2`, or nothing. */
function queryString(query: Query): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string | number | boolean] =>
      entry[1] !== null && entry[1] !== undefined && entry[1] !== '',
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
