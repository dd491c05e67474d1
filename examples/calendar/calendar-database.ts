export interface CalendarEvent {
  readonly event_id: string;
  readonly slot: string;
  readonly room: string;
  readonly title: string;
}

/** What became of one notification: who got it, and whom it did not reach. */
export interface Notification {
  readonly event_id: string;
  readonly status: 'sent' | 'partial';
  readonly delivered: number;
  readonly failed: number;
  readonly failed_recipients: readonly string[];
}

const SLOTS = ['2026-11-03T10:00', '2026-11-03T14:00'];
const ATTENDEES = ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay'].map((name) => `${name}@example.com`);

/** The calendar of one team: its slots, events and rooms, and what its attendees were told. */
export class Calendar {
  readonly events: CalendarEvent[] = [];
  readonly sent: { readonly event_id: string; readonly message: string; readonly recipients: string[] }[] =
    [];
  /** Slots in which every room is taken. */
  readonly withoutRoom = new Set<string>();
  /** Attendees whose mail comes back. */
  readonly unreachable = new Set<string>();
  private readonly notifications = new Map<string, Notification>();

  freeSlots(from: string, until: string): string[] {
    const taken = new Set(this.events.map(({ slot }) => slot));
    return SLOTS.filter((slot) => isBetween(slot, from, until) && !taken.has(slot));
  }

  eventsBetween(from: string, until: string): CalendarEvent[] {
    return this.events.filter(({ slot }) => isBetween(slot, from, until));
  }

  roomIn(slot: string): string | null {
    const taken = this.withoutRoom.has(slot) || this.events.some((event) => event.slot === slot);
    return taken ? null : 'Room 4';
  }

  create(event: Omit<CalendarEvent, 'event_id'>): CalendarEvent {
    const created = { event_id: `event-${this.events.length + 1}`, ...event };
    this.events.push(created);
    return created;
  }

  /** Sends to everybody, once for each key. Who cannot be reached does not keep the others from being told. */
  notify(key: string, event_id: string, message: string): Notification {
    const before = this.notifications.get(key);
    if (before !== undefined) return before;
    const recipients = ATTENDEES.filter((attendee) => !this.unreachable.has(attendee));
    const failed_recipients = ATTENDEES.filter((attendee) => this.unreachable.has(attendee));
    const notification: Notification = {
      event_id,
      status: failed_recipients.length === 0 ? 'sent' : 'partial',
      delivered: recipients.length,
      failed: failed_recipients.length,
      failed_recipients,
    };
    this.sent.push({ event_id, message, recipients });
    this.notifications.set(key, notification);
    return notification;
  }

  notificationUnder(key: string): Notification | null {
    return this.notifications.get(key) ?? null;
  }
}

function isBetween(slot: string, from: string, until: string): boolean {
  const date = slot.slice(0, 10);
  return date >= from && date <= until;
}
