import { calendarAgent, calendarTools } from '@countersign/examples';
import type { Calendar } from '../../examples/calendar/calendar-database.js';
import { Calendars, calendarRoutes } from '../../examples/calendar/routes.js';
import { gate } from '../support/gate.js';
import type { Completion } from '../support/model-reply.js';
import { callOf, endOf, messagesOf, resultsOf, toolCallsOf } from '../support/runs.js';
import { type Stack, type StackAddress, startStack } from '../support/stack.js';
import { type ExampleWorld, openExample } from './example-world.js';

const TASK = 'Book a team meeting between 2026-11-02 and 2026-11-06 and tell the attendees.';
const DAYS = '{"start_date":"2026-11-02","end_date":"2026-11-06"}';
const [TEN, TWO] = ['2026-11-03T10:00', '2026-11-03T14:00'];
const BOTH_FREE = `{"free_slots":["${TEN}","${TWO}"],"events":[]}`;

interface CalendarWorld extends ExampleWorld {
  readonly calendar: Calendar;
}

/** A tenant that lets the agent book and notify without asking anybody: what is shown here is what happens after that. */
async function openCalendar(stack?: StackAddress): Promise<CalendarWorld> {
  const calendars = new Calendars();
  const world = await openExample({
    // The answer that never comes is waited for as briefly as the product allows a test to.
    tools: (url) =>
      calendarTools(url).map((tool) => (tool.name === 'create_event' ? { ...tool, timeoutMs: 500 } : tool)),
    routes: calendarRoutes(calendars),
    agent: calendarAgent(),
    subject: { id: 'team-1' },
    ...(stack === undefined ? {} : { stack }),
  });
  const rules = ['create_event', 'send_notification'].map((tool) => ({ tool, action: 'allow' }));
  await world.api.expect(200, world.api.put('/v1/policy', { rules }));
  return { ...world, calendar: calendars.of('team-1') };
}

const said = (callId: string, tool: string, args: string) => ({
  role: 'assistant',
  content: '',
  calls: [{ callId, tool, arguments: args }],
});
const heard = (callId: string, tool: string, content: string, isError = false) => ({
  role: 'tool',
  callId,
  tool,
  isError,
  content,
});
const eventAt = (slot: string) =>
  `{"event_id":"event-1","slot":"${slot}","room":"Room 4","title":"Team meeting"}`;
const createAt = (slot: string) => `{"slot":"${slot}","room":"Room 4","title":"Team meeting"}`;
const NOTIFY = `{"event_id":"event-1","message":"Team meeting on 2026-11-03 at 10:00, Room 4."}`;
const SENT = '{"event_id":"event-1","status":"sent","delivered":6,"failed":0,"failed_recipients":[]}';
const UNKNOWN =
  'The call was sent, and its outcome is unknown: The time for the call was up. To be looked up first: whether ' +
  `"create_event" with slot "${TEN}" took effect. It may have happened. Do not repeat it.`;

describe('calendar: booking a meeting', () => {
  let world: CalendarWorld;
  beforeEach(async () => {
    world = await openCalendar();
  });
  afterEach(() => world.close());
  const book = async (more = {}) => endOf(world.api, (await world.start(TASK, more)).id, 'completed');

  test('a slot, a room, the event, the attendees', async () => {
    const run = await book();
    expect(await messagesOf(world.api, run.id)).toEqual([
      { role: 'user', content: TASK },
      said('call_1', 'search_calendar', DAYS),
      heard('call_1', 'search_calendar', BOTH_FREE),
      said('call_2', 'check_room_availability', `{"slot":"${TEN}"}`),
      heard('call_2', 'check_room_availability', `{"slot":"${TEN}","room":"Room 4"}`),
      said('call_3', 'create_event', createAt(TEN)),
      heard('call_3', 'create_event', eventAt(TEN)),
      said('call_4', 'send_notification', NOTIFY),
      heard('call_4', 'send_notification', SENT),
      {
        role: 'assistant',
        content: `Team meeting: ${TEN}, Room 4. All 6 attendees were told.`,
      },
    ]);
    expect(world.calendar.events).toHaveLength(1);
    expect(world.calendar.sent).toMatchObject([{ event_id: 'event-1', recipients: { length: 6 } }]);
  });

  test('where the room check finds nothing, the agent goes on to the next slot', async () => {
    world.calendar.withoutRoom.add(TEN);
    const run = await book();
    expect((await messagesOf(world.api, run.id)).slice(3, 8)).toEqual([
      said('call_2', 'check_room_availability', `{"slot":"${TEN}"}`),
      heard('call_2', 'check_room_availability', `{"slot":"${TEN}","room":null}`),
      said('call_3', 'check_room_availability', `{"slot":"${TWO}"}`),
      heard('call_3', 'check_room_availability', `{"slot":"${TWO}","room":"Room 4"}`),
      said('call_4', 'create_event', createAt(TWO)),
    ]);
    expect(world.calendar.events).toMatchObject([{ slot: TWO }]);
  });

  test('an answer that is lost after the effect: the model is told what to look up, looks, and creates nothing twice', async () => {
    const run = await book({ subject: { id: 'team-1', trouble: 'lost_answer' } });
    expect((await messagesOf(world.api, run.id)).slice(5)).toEqual([
      said('call_3', 'create_event', createAt(TEN)),
      heard('call_3', 'create_event', UNKNOWN, true),
      said('call_4', 'search_calendar', DAYS),
      heard('call_4', 'search_calendar', `{"free_slots":["${TWO}"],"events":[${eventAt(TEN)}]}`),
      said('call_5', 'send_notification', NOTIFY),
      heard('call_5', 'send_notification', SENT),
      { role: 'assistant', content: `Team meeting: ${TEN}, Room 4. All 6 attendees were told.` },
    ]);
    expect(await callOf(world.api, run.id, 'create_event')).toMatchObject({ status: 'unknown' });
    expect(world.tools.calls('create_event')).toHaveLength(1);
    expect(world.calendar.events).toHaveLength(1);
  });

  test('a second create for a slot whose first is unknown is held off, in this run and in the next', async () => {
    world.tools.on('create_event', () => ({ hang: new Promise<never>(() => {}) }));
    const create = (id: string, title: string): Completion => ({
      calls: [{ id, tool: 'create_event', arguments: { slot: TEN, room: 'Room 4', title } }],
    });
    const play = async (replies: readonly Completion[]) => {
      world.model.play(replies);
      const { id } = await world.start(TASK, { agent: 'played' });
      await endOf(world.api, id, 'completed');
      return id;
    };
    const first = await play([
      create('a', 'Team meeting'),
      create('b', 'Team meeting again'),
      { text: 'Hm.' },
    ]);
    const second = await play([create('c', 'Team meeting'), { text: 'Hm.' }]);
    const denied =
      'An earlier call with the same intent has an unknown outcome, so this one was not run. ' +
      'Check the state of things before anything else.';
    expect(await resultsOf(world.api, first)).toEqual([UNKNOWN, denied]);
    expect(await resultsOf(world.api, second)).toEqual([denied]);
    expect(await callOf(world.api, second, 'create_event')).toMatchObject({
      status: 'denied',
      error: { code: 'intent_unknown' },
    });
    expect(world.tools.calls('create_event')).toHaveLength(1);
  });

  test('a notification that reached five of six is partial, in the record and in what the model reads', async () => {
    world.calendar.unreachable.add('fay@example.com');
    const run = await book();
    const partial = {
      event_id: 'event-1',
      status: 'partial',
      delivered: 5,
      failed: 1,
      failed_recipients: ['fay@example.com'],
    };
    expect(await callOf(world.api, run.id, 'send_notification')).toMatchObject({ result: partial });
    expect((await resultsOf(world.api, run.id)).at(-1)).toBe(JSON.stringify(partial));
    expect(run.output).toContain('5 attendees were told; these could not be reached: fay@example.com.');
    expect(world.calendar.sent).toHaveLength(1);
  });
});

describe('calendar: the worker is killed', () => {
  let stack: Stack | undefined;
  beforeAll(async () => {
    stack = await startStack();
  }, 60_000);
  afterAll(() => stack?.stop());

  /** Plays the task until `hold` says that the moment has come, kills the worker there, and lets another one finish. */
  const killAt = async (arm: (world: CalendarWorld, reached: () => Promise<never>) => void) => {
    if (stack === undefined) throw new Error('no stack');
    const world = await openCalendar(stack);
    const place = gate();
    let armed = true;
    arm(world, () => {
      if (!armed) return Promise.reject(new Error('reached twice'));
      armed = false;
      place.open();
      return new Promise<never>(() => {});
    });
    const { id } = await world.start(TASK);
    await place.opened;
    await stack.workers.at(-1)?.kill();
    await stack.startWorker();
    const run = await endOf(world.api, id, 'completed');
    return { world, run };
  };

  test('between the event and the notification: one event exists, and one notification goes out to six', async () => {
    let held = false;
    const { world, run } = await killAt((armed, reached) => {
      armed.tools.on('send_notification', (request) => {
        if (held) return armed.route('/send_notification')(request);
        held = true;
        return { hang: reached() };
      });
    });
    expect(world.calendar.events).toHaveLength(1);
    expect(world.calendar.sent).toMatchObject([{ event_id: 'event-1', recipients: { length: 6 } }]);
    expect(world.tools.calls('create_event')).toHaveLength(1);
    const keys = world.tools.calls('send_notification').map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).toBe(1);
    expect(run.output).toBe(`Team meeting: ${TEN}, Room 4. All 6 attendees were told.`);
    await world.close();
  });

  test('before the answer of create_event: nobody knows, the agent looks the event up, and one exists', async () => {
    const { world, run } = await killAt((armed, reached) => {
      armed.tools.on('create_event', (request) => {
        void armed.route('/create_event')(request);
        return { hang: reached() };
      });
    });
    expect((await toolCallsOf(world.api, run.id)).map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      'search_calendar succeeded',
      'check_room_availability succeeded',
      'create_event unknown',
      'search_calendar succeeded',
      'send_notification succeeded',
    ]);
    expect(world.calendar.events).toHaveLength(1);
    expect(world.calendar.sent).toHaveLength(1);
    await world.close();
  });
});
