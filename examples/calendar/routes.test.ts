import { Calendars, calendarRoutes } from './routes.js';

const SLOT = '2026-11-03T10:00';

function open(subject: object = { id: 'team-1' }) {
  const calendars = new Calendars();
  const routes = calendarRoutes(calendars);
  const ask = (path: string, args: Record<string, unknown>, key = 'key-1') =>
    routes[path]?.({ arguments: args, context: { subject } }, key);
  return { calendar: calendars.of('team-1'), ask };
}

describe('the calendar', () => {
  test('has two free slots, which an event takes', async () => {
    const { ask } = open();
    const days = { start_date: '2026-11-02', end_date: '2026-11-06' };
    expect(await ask('/search_calendar', days)).toMatchObject({
      body: { free_slots: [SLOT, '2026-11-03T14:00'], events: [] },
    });
    await ask('/create_event', { slot: SLOT, room: 'Room 4', title: 'x' });
    expect(await ask('/search_calendar', days)).toMatchObject({
      body: { free_slots: ['2026-11-03T14:00'], events: [{ event_id: 'event-1', slot: SLOT }] },
    });
    expect(await ask('/create_event', { slot: SLOT, room: 'Room 4', title: 'x' })).toMatchObject({
      status: 409,
    });
    expect(await ask('/search_calendar', { start_date: '2026-11-04', end_date: '2026-11-06' })).toMatchObject(
      {
        body: { free_slots: [], events: [] },
      },
    );
  });

  test('notifies once for each key, and says whom it did not reach', async () => {
    const { calendar, ask } = open({ id: 'team-1', trouble: 'bounced_mail' });
    calendar.create({ slot: SLOT, room: 'Room 4', title: 'x' });
    const told = { event_id: 'event-1', message: 'Come.' };
    expect(await ask('/send_notification/reconcile', told)).toMatchObject({
      body: { outcome: 'did_not_happen' },
    });
    const first = await ask('/send_notification', told);
    expect(first).toMatchObject({ body: { status: 'partial', delivered: 5, failed: 1 } });
    expect(await ask('/send_notification', told)).toEqual(first);
    expect(await ask('/send_notification/reconcile', told)).toMatchObject({ body: { outcome: 'happened' } });
    expect(calendar.sent).toHaveLength(1);
    expect(await ask('/send_notification', { ...told, event_id: 'event-9' })).toMatchObject({ status: 404 });
  });

  test("is that of the run's subject alone", async () => {
    const { calendar, ask } = open({ id: 'team-2' });
    await ask('/create_event', { slot: SLOT, room: 'Room 4', title: 'x' });
    expect(calendar.events).toEqual([]);
  });
});
