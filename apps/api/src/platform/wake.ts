import { type ConnectionOptions, type IQueueBackend, type Job, Queue, Worker } from 'bullmq';
import type { QueueLog } from './log.js';
import { openQueueConnection, type QueueConnection, type QueueEnvironment } from './queue-connection.js';
import { Relay } from './relay.js';

/*
 * A job means "there may be work" and carries nothing (invariant I7): it wakes one claim loop, which claims one run, and
 * goes on while runs may be left without a job of their own. A wake-up that is lost costs time only: the sweeper wakes again from Postgres.
 */

const QUEUE = 'runs';

/**
 * How many wake-ups may wait at once. More than any worker has free hands; without a bound every run would leave a job
 * behind that finds nothing to claim.
 */
const WAITING_JOBS = 64;

/** Wake-ups sent in one call: enough to fill the free hands of a worker after a burst. */
const BURST = 16;

/** The lock of a job; a job whose worker died is given to another after at most two of the checks. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;

/** The event stream of BullMQ, which nobody here reads, is kept short. */
const EVENTS_KEPT = 100;

type WakeQueue = Queue<object, void, string, object, void, string, IQueueBackend, ConnectionOptions>;

/** Wakes workers. One for each process. */
export class Wake {
  private readonly queue: WakeQueue;
  private wanted = 0;
  private position = 0;
  /** The call to the queue that is under way, or the last one. Never rejects. */
  private flight = Promise.resolve();
  /** The call after that one, where somebody waits for it. */
  private next: Promise<void> | null = null;

  constructor(
    private readonly connection: QueueConnection,
    private readonly log: QueueLog,
  ) {
    this.queue = new Queue<object, void, string, object, void, string, IQueueBackend, ConnectionOptions>(
      QUEUE,
      {
        connection: connection.connection,
        streams: { events: { maxLen: EVENTS_KEPT } },
        defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      },
      connection.queueBackend,
    );
    this.queue.on('error', (error) => this.log.warn({ err: error }, 'the queue reported an error'));
  }

  /**
   * Sees to it that a claim loop starts after this moment. Never rejects; resolves once the queue has the job or has
   * failed to take it. Calls made while one is under way share the next: a queue that hangs costs one pending call.
   */
  runs(): Promise<void> {
    this.wanted += 1;
    this.next ??= this.flight.then(() => this.send());
    return this.next;
  }

  /** Rejects where the queue does not answer. */
  ping(): Promise<void> {
    return this.connection.ping();
  }

  /** Sends what is still wanted, waits at most `graceMs`, and lets go of the queue. */
  async close(graceMs = 1_000): Promise<void> {
    await within(graceMs, this.next ?? this.flight);
    await within(graceMs, this.queue.close());
  }

  private send(): Promise<void> {
    const count = Math.min(this.wanted, BURST);
    this.wanted = 0;
    this.next = null;
    this.flight = this.add(count);
    return this.flight;
  }

  /**
   * Each job holds one of a fixed number of names from now until a worker takes it. While a job waits under that name it
   * has yet to claim, so that it finds what we committed; a second one would find nothing more.
   */
  private async add(count: number): Promise<void> {
    const jobs = Array.from({ length: count }, () => ({
      name: QUEUE,
      data: {},
      opts: { deduplication: { id: `wake-${this.nextName()}` } },
    }));
    try {
      await this.queue.addBulk(jobs);
    } catch (error) {
      this.log.warn({ err: error }, 'a wake-up was not taken: the sweeper makes up for it');
    }
  }

  private nextName(): number {
    this.position = (this.position + 1) % WAITING_JOBS;
    return this.position;
  }
}

/** Takes wake-ups; `processor` runs one claim loop. */
interface WakeWorker {
  /** Takes no further wake-ups and waits for the claim loops under way. */
  close(): Promise<void>;
}

/** What a process needs of the queue. */
export interface QueueAccess {
  readonly kind: 'redis' | 'postgres';
  readonly wake: Wake;
  readonly relay: Relay;
  /** Starts taking wake-ups, `concurrency` at once. */
  openWorker(processor: () => Promise<void>, concurrency: number): WakeWorker;
  close(): Promise<void>;
}

/** Connects to the queue. API and worker open it once at their start. Rejects where the store cannot be reached. */
export async function openQueue(environment: QueueEnvironment, log: QueueLog): Promise<QueueAccess> {
  const connection = await openQueueConnection(environment, log);
  const wake = new Wake(connection, log);
  const relay = new Relay(connection.broadcast, log);
  return {
    kind: connection.kind,
    wake,
    relay,
    openWorker: (processor, concurrency) => openWorker(connection, log, processor, concurrency),
    close: async () => {
      await Promise.all([wake.close(), relay.close()]);
      await connection.close();
    },
  };
}

function openWorker(
  connection: QueueConnection,
  log: QueueLog,
  processor: () => Promise<void>,
  concurrency: number,
): WakeWorker {
  const worker = new Worker<object, void, string, IQueueBackend, number, ConnectionOptions>(
    QUEUE,
    async (job) => {
      await giveNameBack(job, log);
      await processor();
    },
    {
      connection: connection.connection,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      // A job carries nothing that could be poisonous: however often its workers died, it is given to the next.
      maxStalledCount: 1_000_000,
    },
    connection.queueBackend,
  );
  worker.on('error', (error) => log.warn({ err: error }, 'the queue reported an error to the worker'));
  worker.on('failed', (_job, error) => log.error({ err: error }, 'a claim loop failed'));
  return { close: () => worker.close() };
}

/** From here on a new wake-up makes a job of its own again; therefore before the first claim, never after. */
async function giveNameBack(job: Pick<Job, 'removeDeduplicationKey'>, log: QueueLog): Promise<void> {
  try {
    await job.removeDeduplicationKey();
  } catch (error) {
    log.warn({ err: error }, 'a wake-up kept its name: the queue gives it back when the job ends');
  }
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
