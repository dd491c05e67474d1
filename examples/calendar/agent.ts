import { type ExampleModel, scriptedModel } from '../example-model.js';

/** The agent that books meetings, as it is posted to `POST /v1/agents`. */
export function calendarAgent(model: ExampleModel = scriptedModel('calendar')) {
  return {
    name: 'calendar',
    instructions: [
      "You book meetings in a team's calendar and tell the attendees.",
      'Look for a free slot and then for a room in it; where there is no room, go on to the next slot.',
      'When it is unknown whether an event was created, look it up in the calendar. Never create it again.',
    ].join('\n'),
    model,
    tools: ['search_calendar', 'check_room_availability', 'create_event', 'send_notification'],
  };
}
