import { Relay, type RelayBackendFactory, type RelayOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueLog } from './log.js';

/**
 * Tells all processes the same thing, once, at best effort: what nobody listens to, and what is said while the store is
 * away, is gone.
 */
export interface Broadcast {
  /** Rejects, or hangs, while the store is away. `data` is what JSON holds, up to 512 KiB of it. */
  publish(topic: string, data: unknown): Promise<unknown>;
  /** Resolves once everything that is published from now on is heard. */
  subscribe<Data>(topic: string, hear: (data: Data) => void): Promise<unknown>;
  close(): Promise<unknown>;
}

/**
 * Over Redis: its own publish and subscribe. (BullMQ's relay, which keeps an inbox for each node, made eight commands of
 * each publication, a tenth of what a short run cost.)
 */
export function broadcastOverRedis(redis: Redis, log: QueueLog): Broadcast {
  // Redis has one set of channels for all of its databases.
  const channelOf = (topic: string) => `countersign:${redis.options.db ?? 0}:${topic}`;
  const listeners = new Map<string, (data: never) => void>();
  let subscriber: Redis | null = null;
  const open = (): Redis => {
    // It subscribes again by itself after each time that Redis was away.
    const opened = redis.duplicate();
    opened.on('error', (error) => log.warn({ err: error }, 'the relay reported an error'));
    opened.on('message', (channel, text) => listeners.get(channel)?.(JSON.parse(text) as never));
    return opened;
  };
  return {
    publish: (topic, data) => redis.publish(channelOf(topic), JSON.stringify(data)),
    subscribe: (topic, hear) => {
      subscriber ??= open();
      listeners.set(channelOf(topic), hear);
      return subscriber.subscribe(channelOf(topic));
    },
    close: async () => subscriber?.disconnect(),
  };
}

/** Over Postgres: the relay of BullMQ, over LISTEN and NOTIFY and tables of its own. */
export function broadcastOverPostgres<Connection>(
  connection: Connection,
  backend: RelayBackendFactory<Connection>,
  log: QueueLog,
): Broadcast {
  const options: RelayOptions<Connection> = { connection, namespace: 'countersign', backend };
  const relay = new Relay<Connection>(options);
  relay.on('error', (error) => log.warn({ err: error }, 'the relay reported an error'));
  return {
    publish: (topic, data) => relay.publish(topic, data),
    subscribe: (topic, hear) => relay.subscribe(topic, ({ data }) => hear(data as never)),
    close: () => relay.close(),
  };
}
