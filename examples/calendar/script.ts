import type { Script, ScriptedReply } from '@countersign/agent-core';
import { lastAsked, resultOf, type ToolItem } from '../asked.js';
import type { CalendarEvent, Notification } from './calendar-database.js';

const TITLE = 'Team meeting';

interface Days {
  readonly free_slots: readonly string[];
  readonly events: readonly CalendarEvent[];
}

/** The agent's side: a slot, a room, the event, the attendees; and a look into the calendar where it cannot know. */
export const calendarScript: Script = (request) => {
  const { question, results } = lastAsked(request);
  const [start_date, end_date] = question.match(/\d{4}-\d{2}-\d{2}/g) ?? [];
  if (start_date === undefined || end_date === undefined) {
    return { text: 'Between which two days is the meeting to be?' };
  }
  return next(results, { calls: [{ tool: 'search_calendar', arguments: { start_date, end_date } }] });
};

function next(results: readonly ToolItem[], search: ScriptedReply): ScriptedReply {
  const of = (tool: string) => results.filter((result) => result.tool === tool);
  const searches = of('search_calendar');
  if (searches.length === 0) return search;
  const [created] = of('create_event');
  if (created === undefined) return findRoom(resultOf<Days>(searches[0]), of('check_room_availability'));
  let event = resultOf<CalendarEvent>(created);
  if (event === null && !created.text.includes('outcome is unknown')) {
    return { text: `The meeting was not booked: ${created.text}` };
  }
  if (event === null && searches.length === 1) return search;
  event ??= resultOf<Days>(searches[1])?.events.find(({ title }) => title === TITLE) ?? null;
  if (event === null) return { text: 'The meeting is not in the calendar. Please book it yourself.' };
  const [notified] = of('send_notification');
  if (notified === undefined) return notify(event);
  return { text: `${TITLE}: ${event.slot}, ${event.room}. ${told(notified)}` };
}

function findRoom(days: Days | null, checks: readonly ToolItem[]): ScriptedReply {
  const last = resultOf<{ slot: string; room: string | null }>(checks.at(-1));
  if (last !== null && last.room !== null) {
    const { slot, room } = last;
    return { calls: [{ tool: 'create_event', arguments: { slot, room, title: TITLE } }] };
  }
  const slot = days?.free_slots[checks.length];
  return slot === undefined
    ? { text: 'There is no free slot with a room on those days.' }
    : { calls: [{ tool: 'check_room_availability', arguments: { slot } }] };
}

function notify({ event_id, slot, room }: CalendarEvent): ScriptedReply {
  const message = `${TITLE} on ${slot.replace('T', ' at ')}, ${room}.`;
  return { calls: [{ tool: 'send_notification', arguments: { event_id, message } }] };
}

function told(result: ToolItem): string {
  const notification = resultOf<Notification>(result);
  if (notification === null) return `The attendees were not told: ${result.text}`;
  const { status, delivered, failed_recipients } = notification;
  return status === 'sent'
    ? `All ${delivered} attendees were told.`
    : `${delivered} attendees were told; these could not be reached: ${failed_recipients.join(', ')}.`;
}
