import {
  Client,
  type ClientConfig,
  DatabaseError,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';

/** A connection as the next statement sees it. */
export interface Line {
  /** Statements that were sent and are not answered. */
  readonly sent: number;
  /** Since when the first of them is the first, in milliseconds by the caller's clock. */
  readonly firstSince: number;
}

/** Few connections that are kept busy cost Postgres least (docs/performance.md). */
const DEPTH = 12;
/** A statement that takes longer waits for a lock or a slow disk: nothing more is sent behind it. */
const PATIENCE_MS = 5;

/**
 * The connection that the next statement is sent on: the first that moves on and has less than a dozen before it; null
 * where one is to be opened. Where all of at most `most` have as many or stand still: the one with the fewest.
 */
export function lineFor<Each extends Line>(lines: readonly Each[], now: number, most: number): Each | null {
  const free = lines.find(
    ({ sent, firstSince }) => sent === 0 || (sent < DEPTH && now - firstSince < PATIENCE_MS),
  );
  if (free !== undefined) return free;
  if (lines.length < most) return null;
  return lines.reduce<Each | null>(
    (least, line) => (least === null || line.sent < least.sent ? line : least),
    null,
  );
}

/**
 * Statements that are transactions of their own, over few connections, each sent behind the last without waiting for its
 * answer (Postgres's pipelining). Each ends with a Sync, so that one that fails takes no other with it. For statements as
 * short as a step: those behind a long one wait for it.
 */
export class Pipeline {
  private readonly lines: OpenLine[] = [];
  private ended = false;

  /** Connects when the first statement comes, with `most` connections at most. */
  constructor(
    private readonly config: ClientConfig,
    private readonly most: number,
  ) {}

  /** Rejects as `pg` does: with what Postgres said, or with what became of the connection. */
  query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> {
    if (this.ended) return Promise.reject(new Error('the connections to Postgres are closed'));
    const line = lineFor(this.lines, performance.now(), this.most) ?? this.open();
    return line.query(statement);
  }

  /** Resolves once what was sent is answered and every connection is closed. */
  async end(): Promise<void> {
    this.ended = true;
    await Promise.all(this.lines.map((line) => line.end()));
  }

  private open(): OpenLine {
    const line = new OpenLine(this.config, () => {
      const place = this.lines.indexOf(line);
      if (place >= 0) this.lines.splice(place, 1);
    });
    this.lines.push(line);
    return line;
  }
}

class OpenLine implements Line {
  sent = 0;
  firstSince = 0;
  private readonly client: Client;
  /** Null once it is connected. */
  private connecting: Promise<unknown> | null;
  private closed: Promise<void> | null = null;

  /** `broken` is told, maybe more than once, when no statement may be sent here any more. */
  constructor(
    config: ClientConfig,
    private readonly broken: () => void,
  ) {
    this.client = new Client({ ...config, pipeline: true });
    // What breaks it fails each of the statements that were sent; without a listener it would end the process.
    this.client.on('error', () => this.leave());
    this.client.on('end', () => this.leave());
    this.connecting = this.client.connect().then(() => {
      this.connecting = null;
    });
    this.connecting.catch(() => this.leave());
  }

  async query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>> {
    if (this.sent === 0) this.firstSince = performance.now();
    this.sent += 1;
    try {
      if (this.connecting !== null) await this.connecting;
      return await this.client.query<Row>(statement);
    } catch (error) {
      if (endsConnection(error)) this.leave();
      throw error;
    } finally {
      this.sent -= 1;
      this.firstSince = performance.now();
    }
  }

  async end(): Promise<void> {
    await this.connecting?.catch(() => undefined);
    await this.close();
  }

  /** `pg` keeps the socket open where it was the client that gave up: nobody else would close it. */
  private leave(): void {
    this.broken();
    void this.close();
  }

  /** Resolves once what was sent is answered, or can be no more, and the socket is closed. */
  private close(): Promise<void> {
    this.closed ??= this.client.end();
    return this.closed;
  }
}

/**
 * Whether a statement that failed so was the last on its connection. Postgres says why it ends one before it does. What
 * it did not say was said by the client: the connection is gone, or was left between two messages: of a value that
 * cannot be written `pg` takes back the prepared statement, and goes on using it.
 */
export function endsConnection(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === 'FATAL';
}
