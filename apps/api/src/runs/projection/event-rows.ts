import type { RunEvent, StoredEvent } from '@countersign/agent-core';

/** An event of a run, under its number. */
export interface EventRow {
  readonly seq: number;
  readonly type: string;
  /** Milliseconds. */
  readonly at: number;
  /** The JSON text of the event without its type. */
  readonly data: string;
}

/** The events that a step records. */
export function eventRows(events: readonly StoredEvent[]): readonly EventRow[] {
  return events.map(({ seq, at, event }) => ({ seq, type: event.type, at, data: dataOf(event) }));
}

/** The JSON text of an event without its type. */
export function dataOf({ type: _, ...data }: RunEvent): string {
  return JSON.stringify(data);
}
