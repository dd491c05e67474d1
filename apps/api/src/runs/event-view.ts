import { type RawJson, raw } from '../platform/reply.js';

/** A stored event as its row holds it: `data` is JSON text. */
export interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly at: Date;
  readonly data: string;
}

/** A stored event as it is shown outside. */
export interface EventView {
  readonly seq: number;
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

type Data = Record<string, unknown>;

/** Members that hold JSON text in the ledger and are shown as the value that they stand for, by type of event. */
const PAYLOADS: Readonly<Record<string, readonly string[]>> = {
  'run.queued': ['subject'],
  'tool.permitted': ['arguments'],
  'approval.requested': ['arguments'],
  'tool.succeeded': ['output'],
  'tool.settled': ['output'],
};

/** Members that hold arguments bound to a digest. */
const BINDINGS: Readonly<Record<string, string>> = {
  'tool.denied': 'bound',
  'tool.succeeded': 'bound',
  'approval.decided': 'edited',
};

const INSTANTS = ['until', 'notBefore', 'requestedAt', 'expiresAt', 'startedAt', 'askUntil'];

/**
 * What the ledger holds, in the words of the public contract: payloads as JSON values with every digit, times as
 * RFC 3339. A provider's raw items stay inside (invariant I9).
 */
export function eventView(row: EventRow): EventView {
  // Numbers that need care are within payloads, which the ledger keeps as text in a string: JSON.parse loses nothing.
  const data = JSON.parse(row.data) as Data;
  delete data.raw;
  for (const member of PAYLOADS[row.type] ?? []) data[member] = payload(data[member]);
  const binding = BINDINGS[row.type];
  if (binding !== undefined) data[binding] = boundPayload(data[binding]);
  for (const member of INSTANTS) {
    const value = data[member];
    if (typeof value === 'number') data[member] = new Date(value);
  }
  return { seq: row.seq, type: row.type, at: row.at, data };
}

function payload(value: unknown): RawJson | null {
  return typeof value === 'string' ? raw(value) : null;
}

function boundPayload(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  return { ...value, arguments: payload((value as Data).arguments) };
}
