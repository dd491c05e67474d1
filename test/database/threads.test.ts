import type { Run } from '@countersign/agent-core';
import { newId } from '../../apps/api/src/platform/ids.js';
import { tenantTx } from '../../apps/api/src/platform/transaction.js';
import type { OnBusy } from '../../apps/api/src/runs/ledger.repository.js';
import { claim, commit, type Held, held, makeTenant, openWorld, post, start, type World } from './support.js';

let world: World;
let tenant: string;
let thread: string;

beforeAll(async () => {
  world = await openWorld(20);
});
beforeEach(async () => {
  tenant = await makeTenant(world);
  thread = await makeThread();
});
afterEach(() => world.clear());
afterAll(() => world.close());

const FINISHED = { type: 'run.finished', status: 'completed', reason: null, output: null } as const;
const WAITING = {
  type: 'run.waiting',
  approvals: ['apr_1'],
  toolResults: [],
  outcomes: [],
  until: null,
  why: null,
} as const;
const CANCELLED = { type: 'run.cancel_requested', by: { type: 'key', id: 'key_1' } } as const;

async function makeThread(): Promise<string> {
  const id = newId('thr');
  const data = { tenantId: tenant, id, subject: '{"id":"customer-1"}' };
  await tenantTx(world.prisma, tenant, (tx) => tx.thread.create({ data }));
  return id;
}

async function nextPosition(): Promise<number> {
  const sql = 'SELECT runs FROM threads WHERE id = $1';
  const [row] = await world.database.query<{ runs: number }>(sql, [thread]);
  return (row?.runs ?? 0) + 1;
}

async function postNext(onBusy?: OnBusy) {
  return post(world, tenant, { thread: { id: thread, position: await nextPosition() } }, onBusy);
}

async function startNext(onBusy?: OnBusy): Promise<Run> {
  const { run, outcome } = await postNext(onBusy);
  if (outcome.type !== 'started') throw new Error(outcome.type);
  return run;
}

const nothing = () => expect(world.claims.claim('worker-1')).resolves.toBeNull();
const end = (at: Held) => commit(world, at, { events: [FINISHED] });

it('the end of a run says that the next of its thread may be claimed, and only then', async () => {
  await startNext();
  await startNext();
  expect((await end(await claim(world))).outcome).toMatchObject({ more: true });
  expect((await end(await claim(world))).outcome).toMatchObject({ more: false });
});

it('a run of a thread waits until the one before has ended, in the order of their posting', async () => {
  const runs = [await startNext(), await startNext(), await startNext()];
  const claimed: string[] = [];
  for (const _ of runs) {
    const at = await claim(world);
    claimed.push(at.run.id);
    await nothing();
    await end(at);
  }
  expect(claimed).toEqual(runs.map(({ id }) => id));
  await nothing();
});

it('a run that waits for people, or is handed back, keeps its turn', async () => {
  const first = await startNext();
  await startNext();
  await commit(world, await claim(world), { events: [{ type: 'run.handed_back', reason: 'yielded' }] });
  const again = await claim(world);
  expect(again.run.id).toBe(first.id);
  await commit(world, again, { events: [WAITING] });
  await nothing();
});

it('a busy thread holds up neither other threads nor runs without one', async () => {
  await startNext();
  await startNext();
  await claim(world);
  thread = await makeThread();
  const [other, alone] = [await startNext(), await start(world, tenant)];
  const claimed = [await claim(world), await claim(world)].map(({ run }) => run.id);
  expect(claimed.sort()).toEqual([other.id, alone.id].sort());
  await nothing();
});

it('of two that take the same place, one is told to look again', async () => {
  const place = { thread: { id: thread, position: 1 } };
  const outcomes = await Promise.all([post(world, tenant, place), post(world, tenant, place)]);
  expect(outcomes.map(({ outcome }) => outcome.type).sort()).toEqual(['started', 'thread_moved']);
});

it('many who post and work at once: one run of a thread at a time, all of them, in order', async () => {
  const posted: string[] = [];
  const ended: string[] = [];
  const running = new Set<string>();
  const poster = async (): Promise<void> => {
    for (let count = 0; count < 8; ) {
      const position = await nextPosition();
      const { run, outcome } = await post(world, tenant, { thread: { id: thread, position } });
      if (outcome.type !== 'started') continue;
      posted[position - 1] = run.id;
      count += 1;
    }
  };
  const worker = async (): Promise<void> => {
    while (ended.length < 24) {
      const claimed = await world.claims.claim('worker');
      if (claimed === null) continue;
      expect(running.size).toBe(0);
      running.add(claimed.runId);
      const { run, holder } = held(claimed);
      const step = await commit(world, { run, holder }, {});
      running.delete(claimed.runId);
      ended.push(claimed.runId);
      await commit(world, { run: step.run, holder }, { events: [FINISHED] });
    }
  };
  await Promise.all([poster(), poster(), poster(), worker(), worker(), worker(), worker()]);
  expect(ended).toEqual(posted);
});

it('reject: refused while a run is open, started when none is', async () => {
  expect((await postNext('reject')).outcome.type).toBe('started');
  expect((await postNext('reject')).outcome).toEqual({ type: 'thread_busy' });
  const at = await claim(world);
  expect((await postNext('reject')).outcome).toEqual({ type: 'thread_busy' });
  await end(at);
  expect(await nextPosition()).toBe(2);
  expect((await postNext('reject')).outcome.type).toBe('started');
});

it('cancel_previous: every open run is asked to end, and the new one comes when they have', async () => {
  const running = await startNext();
  const waiting = await startNext();
  const at = await claim(world);
  const { run: newest, outcome } = await postNext('cancel_previous');
  expect(outcome).toMatchObject({
    cancelled: [
      { runId: running.id, seq: 3, status: 'running' },
      { runId: waiting.id, seq: 2, status: 'queued' },
    ],
  });
  expect((await end(at)).outcome.type).toBe('moved');

  const cancelled = await claim(world);
  expect(cancelled.run).toMatchObject({ id: waiting.id, cancelRequested: true });
  await nothing();
  await end(cancelled);
  await nothing();
  const news = await world.ledger.eventsAfter(at.run, at.run.seq);
  expect(news.map(({ event }) => event)).toEqual([CANCELLED]);
  await end({ ...at, run: { ...at.run, seq: 3, cancelRequested: true } });
  expect((await claim(world)).run.id).toBe(newest.id);
});

it('cancel_previous wakes a run that waits for people, and says it once', async () => {
  const first = await startNext();
  await commit(world, await claim(world), { events: [WAITING] });
  await startNext('cancel_previous');
  const last = await startNext('cancel_previous');
  const at = await claim(world);
  expect(at.run).toMatchObject({ id: first.id, cancelRequested: true, status: { name: 'running' } });
  const events = await world.ledger.events(tenant, first.id);
  expect(events.filter(({ event }) => event.type === 'run.cancel_requested')).toHaveLength(1);
  await end(at);
  await end(await claim(world));
  expect((await claim(world)).run.id).toBe(last.id);
});

it('a run that is cancelled while it waits for its turn ends at once, and does not let the next one overtake', async () => {
  await startNext();
  const second = await startNext();
  const third = await startNext();
  const first = await claim(world);
  await commit(world, { run: second, holder: null }, { events: [CANCELLED], revision: null });
  const closing = await claim(world);
  expect(closing.run.id).toBe(second.id);
  await end(closing);
  await nothing();
  await end(first);
  expect((await claim(world)).run.id).toBe(third.id);
});

it('a run whose worker is dead frees its thread once it is swept and cancelled', async () => {
  const first = await startNext();
  const second = await startNext();
  const lost = await claim(world);
  await commit(world, { ...lost, holder: null }, { events: [CANCELLED], revision: null });
  await world.database.query(`UPDATE runs SET lease_expires_at = now() - interval '1 s' WHERE id = $1`, [
    first.id,
  ]);
  await world.sweeps.sweep(10);
  const at = await claim(world, 'worker-2');
  expect(at.run).toMatchObject({ id: first.id, cancelRequested: true });
  await end(at);
  expect((await claim(world)).run.id).toBe(second.id);
});

it('a run that is too old while it waits for its turn is given to a worker, which ends it', async () => {
  await startNext();
  const second = await startNext();
  await claim(world);
  await world.sweeps.sweep(10);
  await nothing();
  await world.database.query(`UPDATE runs SET wake_at = now() - interval '1 s' WHERE id = $1`, [second.id]);
  await world.sweeps.sweep(10);
  expect((await claim(world)).run.id).toBe(second.id);
});

it('what waits for its thread counts for the tenant’s ceiling of queued runs, and wakes no worker', async () => {
  await startNext();
  await startNext();
  await claim(world);
  expect(await world.sweeps.countQueued(10)).toBe(0);
  const [row] = await world.database.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM runs WHERE tenant_id = $1 AND status = 'queued'`,
    [tenant],
  );
  expect(row?.waiting).toBe(1);
});

it('the runs before a place come with their events, oldest first, and none of another thread', async () => {
  const first = await startNext();
  await end(await claim(world));
  const second = await startNext();
  await end(await claim(world));
  const own = thread;
  thread = await makeThread();
  await startNext();
  const past = await world.ledger.pastRuns(tenant, { id: own, position: 3 });
  expect(past.map(({ id, events }) => [id, events.map(({ event }) => event.type)])).toEqual([
    [first.id, ['run.queued', 'run.started', 'run.finished']],
    [second.id, ['run.queued', 'run.started', 'run.finished']],
  ]);
  expect(await world.ledger.pastRuns(tenant, { id: own, position: 1 })).toEqual([]);
  expect(await world.ledger.pastRuns(await makeTenant(world), { id: own, position: 3 })).toEqual([]);
});
