import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import type { RelayListener } from '../platform/relay.js';
import type { EventRow } from './event-view.js';
import { streamEvents } from './stream-events.js';

const place = { tenant: 'ten_1', runId: 'run_1' };

/** A run whose events arrive while it is read, and the relay that tells of them (or forgets to). */
class Source {
  readonly rows: EventRow[] = [];
  readonly listeners = new Set<RelayListener>();
  /** What happens right after the next read of the rows, before it answers. */
  afterRead: (() => void) | null = null;

  readonly dependencies = {
    relay: {
      subscribe: (_tenant: string, _runId: string, listener: RelayListener) => {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
    },
    eventsAfter: async (_tenant: string, _runId: string, after: number, limit: number) => {
      const found = this.rows.slice(after, after + limit);
      this.afterRead?.();
      this.afterRead = null;
      return found;
    },
  };

  append(type = 'tool.succeeded', tell = true): void {
    const seq = this.rows.length + 1;
    this.rows.push({ seq, type, at: new Date(0), data: '{"turn":1}' });
    if (tell) for (const { onHint } of this.listeners) onHint({ ...place, seq, status: 'running' });
  }
}

async function idsOf(source: Source, after = 0, ended = false): Promise<number[]> {
  const out = new PassThrough();
  const text: Buffer[] = [];
  out.on('data', (chunk: Buffer) => text.push(chunk));
  await streamEvents(source.dependencies, { ...place, after, ended }, out, new AbortController().signal);
  return [
    ...Buffer.concat(text)
      .toString()
      .matchAll(/^id: (\d+)$/gm),
  ].map((match) => Number(match[1]));
}

describe('a stream of events', () => {
  test('gives each event once and in order, however they arrive between reads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 250 }), fc.nat(250), async (atFirst, after) => {
        const source = new Source();
        for (let event = 0; event < atFirst; event += 1) source.append();
        source.afterRead = () => {
          source.append();
          queueMicrotask(() => source.append());
          setImmediate(() => source.append('run.finished'));
        };
        const resumed = Math.min(after, atFirst);
        const expected = Array.from({ length: atFirst + 3 - resumed }, (_, index) => resumed + index + 1);
        expect(await idsOf(source, resumed)).toEqual(expected);
        expect(source.listeners.size).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  test('misses nothing where the relay forgets to tell', async () => {
    const source = new Source();
    source.append();
    source.afterRead = () => source.append('run.finished', false);
    expect(await idsOf(source)).toEqual([1, 2]);
  });

  test('of a run that has ended ends after what is stored, whatever came after the end', async () => {
    const source = new Source();
    source.append('run.finished');
    source.append('tool.settled');
    expect(await idsOf(source, 0, true)).toEqual([1, 2]);
    expect(await idsOf(source, 1, true)).toEqual([2]);
  });

  test('ends when the reader goes away, and listens no longer', async () => {
    const source = new Source();
    source.append();
    const reader = new AbortController();
    source.afterRead = () => queueMicrotask(() => reader.abort());
    const out = new PassThrough();
    out.resume();
    await streamEvents(source.dependencies, { ...place, after: 0, ended: false }, out, reader.signal);
    expect(source.listeners.size).toBe(0);
  });

  test('gives live text only while the reader is up to date, and not after its turn', async () => {
    const source = new Source();
    const say = (turn: number, text: string) => {
      for (const { onDelta } of source.listeners) onDelta?.({ ...place, turn, text });
    };
    source.append('run.started');
    source.afterRead = () => {
      say(1, 'too early');
      setImmediate(() => {
        say(1, 'in time');
        source.append('model.responded');
        setImmediate(() => {
          say(1, 'too late');
          say(2, 'next');
          source.append('run.finished');
        });
      });
    };
    const out = new PassThrough();
    const text: Buffer[] = [];
    out.on('data', (chunk: Buffer) => text.push(chunk));
    await streamEvents(
      source.dependencies,
      { ...place, after: 0, ended: false },
      out,
      new AbortController().signal,
    );
    const deltas = [
      ...Buffer.concat(text)
        .toString()
        .matchAll(/^event: delta\ndata: (.*)$/gm),
    ].map(([, data]) => data);
    expect(deltas).toEqual(['{"turn":1,"text":"in time"}', '{"turn":2,"text":"next"}']);
  });
});
