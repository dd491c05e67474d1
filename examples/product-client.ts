/** An event of a run as the stream sends it; `seq` is null for live text, which is not stored. */
export interface StreamedEvent {
  readonly seq: number | null;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An answer that is not 2xx, with the problem's words. */
export class RefusedRequest extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The few calls that a demonstration makes, as any customer's app would make them. */
export class ProductClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /** A request with a JSON body. @throws RefusedRequest where the answer is not 2xx. */
  async send<Body>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Body> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new RefusedRequest(response.status, `${method} ${path}: ${response.status} ${text}`);
    }
    return JSON.parse(text) as Body;
  }

  /** The events of a run behind `after`, as they happen, with live text between them, until the run ends. */
  async *events(runId: string, after: number): AsyncGenerator<StreamedEvent> {
    const response = await fetch(`${this.baseUrl}/v1/runs/${runId}/events?after=${after}`, {
      headers: { authorization: `Bearer ${this.apiKey}`, accept: 'text/event-stream' },
    });
    if (response.status === 204 || response.body === null) return;
    let buffer = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const frames = (buffer + text).split('\n\n');
      buffer = frames.pop() ?? '';
      for (const frame of frames) {
        const event = eventIn(frame);
        if (event !== null) yield event;
      }
    }
  }
}

/** Stored events carry an id, live text does not, comments have no data. */
function eventIn(frame: string): StreamedEvent | null {
  const lines = frame.split('\n');
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
  if (data.length === 0) return null;
  const value: unknown = JSON.parse(data.join('\n'));
  if (lines.some((line) => line.startsWith('id:'))) return value as StreamedEvent;
  return { seq: null, type: 'delta', data: value as StreamedEvent['data'] };
}
