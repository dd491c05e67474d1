import { PassThrough } from 'node:stream';
import type { Hint } from '../platform/relay.js';
import { streamChanges } from './stream-changes.js';

const TENANT = 'ten_1';

/** A relay that tells what the test says. */
class Source {
  readonly listeners = new Set<(hint: Hint) => void>();

  readonly dependencies = {
    relay: {
      subscribeTenant: (_tenant: string, onHint: (hint: Hint) => void) => {
        this.listeners.add(onHint);
        return () => this.listeners.delete(onHint);
      },
      ready: async () => undefined,
    },
  };

  tell(runId: string, seq: number): void {
    for (const onHint of this.listeners) onHint({ tenant: TENANT, runId, seq, status: 'running' });
  }
}

/** A stream that is open, with what its reader has read of it so far. */
async function openChanges(out: PassThrough) {
  const source = new Source();
  const reader = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((open) => {
    ended = streamChanges(source.dependencies, TENANT, out, open, reader.signal);
  });
  return { source, leave: () => reader.abort(), ended };
}

/** Reads until a frame of this run has come, and gives the [run, seq] of every frame. */
async function readUntil(out: PassThrough, last: string): Promise<[string, number][]> {
  let text = '';
  for await (const chunk of out.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes(`"${last}"`)) break;
  }
  return [...text.matchAll(/^event: run\ndata: (.*)$/gm)].map(([, data]) => {
    const { runId, seq } = JSON.parse(data ?? '') as { runId: string; seq: number };
    return [runId, seq];
  });
}

describe('a stream of changes', () => {
  test('gives a hint for each run that moves, and listens no longer than its reader', async () => {
    const out = new PassThrough();
    const { source, leave, ended } = await openChanges(out);
    source.tell('run_1', 1);
    source.tell('run_2', 7);
    expect(await readUntil(out, 'run_2')).toEqual([
      ['run_1', 1],
      ['run_2', 7],
    ]);
    leave();
    await ended;
    expect(source.listeners.size).toBe(0);
  });

  test('a slow reader gets the newest of each run, once it reads', async () => {
    const out = new PassThrough();
    const { source, leave, ended } = await openChanges(out);
    const many = 6_000;
    for (let run = 1; run <= many; run += 1) source.tell(`run_${run}`, 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(out.writableLength).toBeGreaterThan(256 * 1024);
    for (let seq = 1; seq <= 100; seq += 1) source.tell('busy', seq);
    const read = await readUntil(out, 'busy');
    expect(read).toHaveLength(many + 1);
    expect(read.at(-1)).toEqual(['busy', 100]);
    leave();
    await ended;
  });

  test('of several hints about one run the newest is kept, whichever arrives last', async () => {
    const out = new PassThrough();
    const { source, leave, ended } = await openChanges(out);
    for (const seq of [1, 5, 3, 4]) source.tell('run_1', seq);
    source.tell('run_2', 1);
    expect(await readUntil(out, 'run_2')).toEqual([
      ['run_1', 5],
      ['run_2', 1],
    ]);
    leave();
    await ended;
  });

  test('a reader that goes away while it is behind is let go', async () => {
    const out = new PassThrough();
    const { source, leave, ended } = await openChanges(out);
    for (let run = 1; run <= 6_000; run += 1) source.tell(`run_${run}`, 1);
    await new Promise((resolve) => setImmediate(resolve));
    leave();
    await ended;
    expect(out.destroyed).toBe(true);
    expect(source.listeners.size).toBe(0);
  });
});
