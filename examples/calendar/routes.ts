import { answered, claimOf, refused, type ToolRequest, type ToolRoutes, textOf } from '../tool-route.js';
import { Calendar } from './calendar-database.js';

/** What the claim `trouble` of a subject makes happen in its calendar, for who wants to see it. */
type Trouble = 'no_room' | 'lost_answer' | 'bounced_mail';

/** The calendars of all teams, by the id of the subject. */
export class Calendars {
  private readonly known = new Map<string, Calendar>();

  of(team: string): Calendar {
    const calendar = this.known.get(team) ?? new Calendar();
    this.known.set(team, calendar);
    return calendar;
  }
}

/** The calendar's tools, each over the calendar of the run's subject. */
export function calendarRoutes(calendars: Calendars): ToolRoutes {
  const calendarOf = (request: ToolRequest) => calendars.of(claimOf(request, 'id'));
  const has = (request: ToolRequest, trouble: Trouble) => claimOf(request, 'trouble') === trouble;
  return {
    '/search_calendar': (request) => {
      const [from, until] = [textOf(request, 'start_date'), textOf(request, 'end_date')];
      if (until < from)
        return refused(422, 'No such days', `end_date: must not be before ${from}, got ${until}`);
      const calendar = calendarOf(request);
      return answered({
        free_slots: calendar.freeSlots(from, until),
        events: calendar.eventsBetween(from, until),
      });
    },
    '/check_room_availability': (request) => {
      const slot = textOf(request, 'slot');
      const calendar = calendarOf(request);
      if (has(request, 'no_room') && slot.endsWith('T10:00')) calendar.withoutRoom.add(slot);
      return answered({ slot, room: calendar.roomIn(slot) });
    },
    '/create_event': (request) => {
      const slot = textOf(request, 'slot');
      const calendar = calendarOf(request);
      if (calendar.roomIn(slot) === null) return refused(409, 'Taken', `There is no free room at ${slot}.`);
      const event = calendar.create({ slot, room: textOf(request, 'room'), title: textOf(request, 'title') });
      return has(request, 'lost_answer') ? 'no_answer' : answered(event);
    },
    '/send_notification': (request, key) => {
      const eventId = textOf(request, 'event_id');
      const calendar = calendarOf(request);
      if (has(request, 'bounced_mail')) calendar.unreachable.add('fay@example.com');
      return calendar.events.some(({ event_id }) => event_id === eventId)
        ? answered(calendar.notify(key, eventId, textOf(request, 'message')))
        : refused(404, 'No such event', `There is no event ${eventId}.`);
    },
    '/send_notification/reconcile': (request, key) => {
      const output = calendarOf(request).notificationUnder(key);
      return answered(output === null ? { outcome: 'did_not_happen' } : { outcome: 'happened', output });
    },
  };
}
