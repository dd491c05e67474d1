import { openEventStream, readUntil } from '../support/event-stream.js';
import { gate } from '../support/gate.js';
import { approve } from '../support/runs.js';
import type { EventView, Page } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

const delta = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const STOP = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null })}\n\ndata: [DONE]\n\n`;

describe('events of a run', () => {
  let world: RunsWorld;
  beforeAll(async () => {
    world = await openRunsWorld();
  });
  afterAll(() => world.close());

  const completedRun = async (): Promise<string> => {
    world.model.play([{ calls: [{ tool: 'look', arguments: { order: 1 } }] }, { text: 'Done.' }]);
    const { id } = await world.start();
    await world.api.waitFor(id, ({ status }) => status === 'completed');
    return id;
  };

  test('as JSON: every event once, in order, behind `after`', async () => {
    const id = await completedRun();
    const events = await world.api.events(id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ type }) => type)).toEqual([
      'run.queued',
      'run.started',
      'model.responded',
      'tool.permitted',
      'tool.started',
      'tool.succeeded',
      'model.responded',
      'run.finished',
    ]);
    const some = await world.api.get<Page<EventView>>(`/v1/runs/${id}/events?after=2&limit=3`);
    expect(some.body).toEqual({ data: events.slice(2, 5), nextCursor: '5' });
    const rest = await world.api.get<Page<EventView>>(`/v1/runs/${id}/events?after=5`);
    expect(rest.body).toEqual({ data: events.slice(5), nextCursor: null });
  });

  test('payloads are values, times are RFC 3339, and what only the provider understands stays inside', async () => {
    const id = await completedRun();
    const events = await world.api.events(id);
    const of = (type: string) => events.find((event) => event.type === type)?.data;
    expect(of('tool.permitted')).toMatchObject({ arguments: { order: 1 } });
    expect(of('tool.succeeded')).toMatchObject({ output: { status: 'shipped' } });
    expect(of('model.responded')).toMatchObject({ startedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    for (const { data } of events) expect(data).not.toHaveProperty('raw');
  });

  test('as a stream: the same events, ids and types, closed after the final one', async () => {
    const id = await completedRun();
    const stream = await openEventStream(world.api, `/v1/runs/${id}/events`);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    const frames = await readUntil(stream);
    const events = await world.api.events(id);
    expect(frames.map((frame) => ({ ...frame, data: JSON.parse(frame.data) }))).toEqual(
      events.map((event) => ({ id: String(event.seq), event: event.type, data: event })),
    );
  });

  test('a stream follows a run from its beginning to its end', async () => {
    const run = await world.startPayment({ subject: { id: 'follow' } });
    const stream = await openEventStream(world.api, `/v1/runs/${run.id}/events`);
    const frames = readUntil(stream);
    await approve(world.api, run.id);
    const ids = (await frames).filter((frame) => frame.id !== null).map((frame) => Number(frame.id));
    const events = await world.api.events(run.id);
    expect(ids).toEqual(events.map(({ seq }) => seq));
    expect(events.at(-1)?.type).toBe('run.finished');
  });

  test('a reader that comes back with Last-Event-ID misses nothing and gets nothing twice', async () => {
    const run = await world.startPayment({ subject: { id: 'resume' } });
    const first = await openEventStream(world.api, `/v1/runs/${run.id}/events`);
    const seen = (await readUntil(first, ({ id }) => id === '3')).map(({ id }) => id);
    first.close();
    await approve(world.api, run.id);
    const second = await openEventStream(world.api, `/v1/runs/${run.id}/events?after=1`, '3');
    const rest = (await readUntil(second)).filter(({ id }) => id !== null).map(({ id }) => id);
    const events = await world.api.events(run.id);
    expect([...seen, ...rest]).toEqual(events.map(({ seq }) => String(seq)));
  });

  test('a reader that has the final event is told so with 204', async () => {
    const id = await completedRun();
    const last = String((await world.api.events(id)).length);
    expect((await openEventStream(world.api, `/v1/runs/${id}/events`, last)).status).toBe(204);
    expect((await openEventStream(world.api, `/v1/runs/${id}/events?after=${last}`)).status).toBe(204);
  });

  test('live text comes as delta without id, before the stored reply', async () => {
    const [said, opened] = [gate(), gate()];
    world.model.play([
      { pieces: [opened.opened, delta('Good '), said.opened, delta('day.'), STOP], end: 'close' },
    ]);
    const { id } = await world.start();
    const stream = await openEventStream(world.api, `/v1/runs/${id}/events`);
    // Live text is passed on from where the stored events end: the last of them must have been read.
    await readUntil(stream, ({ event }) => event === 'run.started');
    opened.open();
    const live = await readUntil(stream, ({ event }) => event === 'delta');
    expect(live.at(-1)).toEqual({ id: null, event: 'delta', data: '{"turn":1,"text":"Good "}' });
    said.open();
    await world.api.waitFor(id, ({ status }) => status !== 'running' && status !== 'queued');
    stream.close();
  });

  test('a hundred streams of one tenant may be open, and one more when one is closed', async () => {
    const run = await world.startPayment({ subject: { id: 'many' } });
    const path = `/v1/runs/${run.id}/events`;
    const streams = await Promise.all(Array.from({ length: 100 }, () => openEventStream(world.api, path)));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const headers = { accept: 'text/event-stream' };
    const refused = await world.api.get(path, headers);
    expectProblem(refused, 429, 'too_many_streams');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await world.api.get(path)).status).toBe(200);
    for (const stream of streams) stream.close();
    let status = 429;
    while (status === 429) {
      const stream = await openEventStream(world.api, path);
      status = stream.status;
      stream.close();
    }
    expect(status).toBe(200);
  });

  test.each(['after=-1', 'after=x', 'limit=0'])('refuses the query %s', async (query) => {
    const id = await completedRun();
    expectInvalid(await world.api.get(`/v1/runs/${id}/events?${query}`), query.split('=')[0] ?? '');
  });

  test('refuses a Last-Event-ID that is no seq', async () => {
    const id = await completedRun();
    const headers = { accept: 'text/event-stream', 'last-event-id': 'abc' };
    expectInvalid(await world.api.get(`/v1/runs/${id}/events`, headers), 'Last-Event-ID');
  });

  test('a stream of another tenant’s run is 404', async () => {
    const id = await completedRun();
    const stranger = await world.stranger();
    const headers = { accept: 'text/event-stream' };
    expectProblem(await stranger.get(`/v1/runs/${id}/events`, headers), 404, 'not_found');
  });
});
