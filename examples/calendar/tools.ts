const day = (description: string) => ({ type: 'string', format: 'date', description });
const slot = {
  type: 'string',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$',
  description: 'When it begins, as in 2026-11-03T10:00.',
};
const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 200, description });

/** The tools of the scenario, as they are posted to `POST /v1/tools`. The calendar is that of the run's subject. */
export function calendarTools(url: string) {
  return [
    {
      ...tool(url, 'search_calendar', 'Free slots and events between two days, both included.', {
        start_date: day('First day, YYYY-MM-DD.'),
        end_date: day('Last day, YYYY-MM-DD.'),
      }),
      effect: 'read' as const,
    },
    {
      ...tool(url, 'check_room_availability', 'A room that is free in a slot, or null.', { slot }),
      effect: 'read' as const,
    },
    {
      ...tool(url, 'create_event', 'Puts an event into the calendar.', {
        slot,
        room: text('The room.'),
        title: text('What it is about.'),
      }),
      effect: 'once' as const,
      intent: ['/slot'],
      onUnknown: 'tell' as const,
      timeoutMs: 2_000,
    },
    {
      ...tool(url, 'send_notification', 'Tells all attendees of an event.', {
        event_id: text('The id of the event.'),
        message: text('What they are told.'),
      }),
      effect: 'once' as const,
      intent: ['/event_id'],
      reconcile: { url: `${url}/send_notification/reconcile` },
    },
  ];
}

function tool(url: string, name: string, description: string, properties: Record<string, object>) {
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
    executor: { type: 'http' as const, url: `${url}/${name}` },
  };
}
