/** An event of a run as the stream sends it. */
export interface StreamedEvent {
  readonly seq: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The few calls that a demonstration makes, as any customer's app would make them. */
export class ProductClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
  ) {}

  /** A request with a JSON body. Throws with the problem's words where the answer is not 2xx. */
  async send<Body>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Body> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  }

  /** The stored events of a run behind `after`, as they happen, until the run ends. */
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
        const event = storedEvent(frame);
        if (event !== null) yield event;
      }
    }
  }
}

/** Live text has no id, and comments have no data: neither is stored. */
function storedEvent(frame: string): StreamedEvent | null {
  const lines = frame.split('\n');
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
  if (data.length === 0 || !lines.some((line) => line.startsWith('id:'))) return null;
  return JSON.parse(data.join('\n')) as StreamedEvent;
}
