import { randomBytes } from 'node:crypto';
import { tailOf } from './server-process.js';
import type { StackAddress } from './stack.js';
import { sharedStack } from './stack.js';
import { type EventView, FINAL_STATUSES, type Page, type RunView } from './wire.js';

/** One answer of the API. `text` is the body as it came; `body` is parsed, or null where there is none. */
export interface Reply<Body> {
  readonly status: number;
  readonly body: Body;
  readonly text: string;
  readonly headers: Headers;
}

type HeaderFields = Record<string, string>;

/** A small client of one base URL with one key or one session. Paths begin with `/`, for example `/v1/runs`. */
export class Api {
  constructor(
    readonly baseUrl: string,
    readonly key: string | null,
    private readonly logFiles: readonly string[] = [],
    /** Sent with every request. */
    readonly fields: HeaderFields = {},
  ) {}

  get<Body = unknown>(path: string, headers?: HeaderFields): Promise<Reply<Body>> {
    return this.send<Body>('GET', path, undefined, headers);
  }
  post<Body = unknown>(path: string, body: unknown, headers?: HeaderFields): Promise<Reply<Body>> {
    return this.send<Body>('POST', path, JSON.stringify(body), headers);
  }
  put<Body = unknown>(path: string, body: unknown, headers?: HeaderFields): Promise<Reply<Body>> {
    return this.send<Body>('PUT', path, JSON.stringify(body), headers);
  }
  patch<Body = unknown>(path: string, body: unknown, headers?: HeaderFields): Promise<Reply<Body>> {
    return this.send<Body>('PATCH', path, JSON.stringify(body), headers);
  }
  delete<Body = unknown>(path: string, headers?: HeaderFields): Promise<Reply<Body>> {
    return this.send<Body>('DELETE', path, undefined, headers);
  }

  /** Sends a body exactly as it is written. Throws only where no answer came, or on a 5xx (with the logs). */
  async send<Body>(
    method: string,
    path: string,
    rawBody: string | undefined,
    headers?: HeaderFields,
  ): Promise<Reply<Body>> {
    const response = await this.request(method, path, rawBody, headers);
    const text = await response.text();
    if (response.status >= 500) {
      throw new Error(`${method} ${path}: ${response.status} ${text}\n${await this.logs()}`);
    }
    return { status: response.status, body: parsed(text) as Body, text, headers: response.headers };
  }

  /** The status of an answer, and the code where it is a problem; whatever else follows (a stream, say) is cut off. */
  async glance(
    method: string,
    path: string,
    rawBody: string | undefined,
    headers?: HeaderFields,
  ): Promise<{ readonly status: number; readonly code: string | null }> {
    const response = await this.request(method, path, rawBody, headers);
    if (response.headers.get('content-type')?.startsWith('application/problem+json') !== true) {
      await response.body?.cancel();
      return { status: response.status, code: null };
    }
    const { code } = (await response.json()) as { readonly code: string };
    return { status: response.status, code };
  }

  /** The same address with another key. */
  withKey(key: string): Api {
    return new Api(this.baseUrl, key, this.logFiles);
  }

  /** The same address without a key, with a cookie instead, as a page of this origin sends it. */
  withCookie(cookie: string): Api {
    return new Api(this.baseUrl, null, this.logFiles, { cookie, origin: this.baseUrl });
  }

  /** The same, for this tenant (id or slug). */
  forTenant(tenant: string): Api {
    return new Api(this.baseUrl, this.key, this.logFiles, { ...this.fields, 'x-tenant': tenant });
  }

  /** A session of who has this password. Throws where there is none. */
  async signIn(email: string, password: string): Promise<Api> {
    const reply = await this.withoutKey().post('/api/auth/sign-in/email', { email, password });
    await this.expect(200, Promise.resolve(reply));
    return this.withCookie(cookieOf(reply));
  }

  /** The same address without a key. */
  withoutKey(): Api {
    return new Api(this.baseUrl, null, this.logFiles);
  }

  /** The body of an answer that must have this status. */
  async expect<Body>(status: number, reply: Promise<Reply<Body>>): Promise<Body> {
    const answer = await reply;
    if (answer.status !== status) {
      throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}\n${await this.logs()}`);
    }
    return answer.body;
  }

  /** Every stored event of a run, oldest first. */
  async events(runId: string): Promise<EventView[]> {
    const events: EventView[] = [];
    for (;;) {
      const after = events.at(-1)?.seq ?? 0;
      const path = `/v1/runs/${runId}/events?after=${after}&limit=100`;
      const page = await this.expect(200, this.get<Page<EventView>>(path));
      if (page.data.length === 0) return events;
      events.push(...page.data);
    }
  }

  /** Everything of a list, page by page. */
  async all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | null = null;
    do {
      const separator = path.includes('?') ? '&' : '?';
      const place: string = cursor === null ? '' : `&after=${encodeURIComponent(cursor)}`;
      const page: Page<Item> = await this.expect(
        200,
        this.get<Page<Item>>(`${path}${separator}limit=100${place}`),
      );
      items.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return items;
  }

  /** Waits until the run satisfies `until`. Throws with its events and the logs when it has ended otherwise, or after 30 s. */
  async waitFor(runId: string, until: (run: RunView) => boolean, seconds = 30): Promise<RunView> {
    const giveUpAt = Date.now() + seconds * 1000;
    for (let looks = 0; ; looks += 1) {
      const run = await this.expect(200, this.get<RunView>(`/v1/runs/${runId}?wait=5`));
      if (until(run)) return run;
      if (isFinal(run) || Date.now() > giveUpAt) throw new Error(await this.story(run));
      // `wait` answers at once while a run waits on people or the app: then look again, later and later.
      if (run.status === 'waiting') await new Promise((resolve) => setTimeout(resolve, delayMs(looks)));
    }
  }

  /** What the processes wrote last; a failure is given a moment to reach the files. */
  private async logs(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return this.logFiles.map(tailOf).join('\n');
  }

  private request(
    method: string,
    path: string,
    rawBody: string | undefined,
    headers: HeaderFields = {},
  ): Promise<Response> {
    return fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(this.key === null ? {} : { authorization: `Bearer ${this.key}` }),
        ...(rawBody === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.fields,
        ...headers,
      },
      ...(rawBody === undefined ? {} : { body: rawBody }),
    });
  }

  private async story(run: RunView): Promise<string> {
    const events = await this.events(run.id);
    const lines = events.map((event) => `${event.seq} ${event.type} ${JSON.stringify(event.data)}`);
    return `the run never came there: ${JSON.stringify(run)}\n${lines.join('\n')}\n${await this.logs()}`;
  }
}

/** From 20 ms to 200: what takes long is not asked for fifty times a second. */
function delayMs(looks: number): number {
  return Math.min(200, 20 * 1.3 ** looks);
}

function isFinal(run: RunView): boolean {
  return FINAL_STATUSES.includes(run.status);
}

/** The operator's side of a stack. */
export function admin(stack: StackAddress = sharedStack()): Api {
  return new Api(stack.apiUrl, stack.adminKey, stack.logFiles);
}

export interface TenantOptions {
  readonly slug?: string;
  readonly name?: string;
  readonly weight?: number;
  readonly maxConcurrentRuns?: number;
  readonly requestsPerSecond?: number;
  readonly monthlyBudgetUsd?: string;
  readonly useDeploymentKeys?: boolean;
}

export interface TestTenant {
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  /** A client with a key of full scope. */
  readonly api: Api;
}

/** Makes a tenant of its own for a test: that is how tests on the shared stack keep apart. */
export async function createTenant(
  options: TenantOptions = {},
  stack: StackAddress = sharedStack(),
): Promise<TestTenant> {
  const slug = options.slug ?? `t-${randomBytes(6).toString('hex')}`;
  const operator = admin(stack);
  const created = await operator.expect(
    201,
    operator.post<{ tenant: TestTenant['tenant']; apiKey: string }>('/admin/v1/tenants', {
      requestsPerSecond: 10_000,
      ...options,
      slug,
      name: options.name ?? slug,
    }),
  );
  return { tenant: created.tenant, api: new Api(stack.apiUrl, created.apiKey, stack.logFiles) };
}

/** The cookies that an answer set, as a browser sends them back. */
export function cookieOf({ headers }: Reply<unknown>): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
