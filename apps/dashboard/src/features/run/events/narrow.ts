import type { RunEvent } from '@countersign/contracts';
import { writeExactly } from '../../../api/exact-json';

/** What the list of events is narrowed to; null: all. */
export interface EventFilters {
  readonly type: string | null;
  readonly text: string | null;
}

const texts = new WeakMap<RunEvent, string>();

/** The events of a type that hold a text, wherever it stands in them; letters count alike, large or small. */
export function narrowed(events: readonly RunEvent[], { type, text }: EventFilters): readonly RunEvent[] {
  const wanted = text?.trim().toLowerCase() ?? '';
  if (type === null && wanted === '') {
    return events;
  }
  return events.filter(
    (event) => (type === null || event.type === type) && (wanted === '' || textOf(event).includes(wanted)),
  );
}

function textOf(event: RunEvent): string {
  const known = texts.get(event);
  if (known !== undefined) {
    return known;
  }
  const text = `${event.seq} ${event.type} ${event.at} ${writeExactly(event.data)}`.toLowerCase();
  texts.set(event, text);
  return text;
}

/** The types that occur, by name, each with how often. */
export function typesOf(events: readonly RunEvent[]): readonly (readonly [type: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { type } of events) {
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}
