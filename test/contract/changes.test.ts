import { isDeepStrictEqual } from 'node:util';
import { Api } from '../support/client.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { gate } from '../support/gate.js';
import { approvalOf, decide, endOf } from '../support/runs.js';
import { sharedStack } from '../support/stack.js';
import type { ApprovalView, RunView } from '../support/wire.js';
import { expectProblem } from './problem.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

interface Change {
  readonly runId: string;
  readonly seq: number;
  readonly status: string;
}

describe('changes of a tenant', () => {
  let world: RunsWorld;
  let stream: EventStream;
  beforeEach(async () => {
    world = await openRunsWorld();
    stream = await openEventStream(world.api, '/v1/changes');
  });
  afterEach(async () => {
    stream.close();
    await world.close();
  });

  /** Reads on until the news so far is what the test waits for, and gives it. */
  const hear = async (enough: (changes: readonly Change[]) => boolean): Promise<readonly Change[]> => {
    const changes: Change[] = [];
    while (!enough(changes)) {
      const { value } = await stream.frames.next();
      expect(value).toMatchObject({ id: null, event: 'run' });
      changes.push(JSON.parse(value.data) as Change);
    }
    return changes;
  };
  const heard = async (expected: (change: Change) => boolean): Promise<Change | undefined> =>
    (await hear((changes) => changes.some(expected))).at(-1);
  const readApproval = async (approval: ApprovalView): Promise<string> =>
    (await world.api.get<ApprovalView>(`/v1/approvals/${approval.id}`)).body.status;
  const runOf = async (runId: string): Promise<RunView> =>
    (await world.api.get<RunView>(`/v1/runs/${runId}`)).body;

  test('come as a stream that nobody keeps', async () => {
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
  });

  test('a run is heard of when it is queued, and at its end', async () => {
    const answers = gate();
    world.model.play(async () => {
      await answers.opened;
      return { text: 'Done.' };
    });
    const admin = new Api(world.api.baseUrl, sharedStack().adminKey);
    const oneAtATime = admin.patch(`/admin/v1/tenants/${world.tenantId}`, { maxConcurrentRuns: 1 });
    await world.api.expect(200, oneAtATime);
    const first = await world.start();
    await heard(({ runId, status }) => runId === first.id && status === 'running');
    // It stays queued while the first one runs: of hints that come at the same time only the newest is told.
    const { id } = await world.start();
    await heard((change) => isDeepStrictEqual(change, { runId: id, seq: 1, status: 'queued' }));
    answers.open();
    const end = await heard(({ runId, status }) => runId === id && status === 'completed');
    expect(end?.seq).toBe((await runOf(id)).seq);
  });

  test('a new approval is heard of once it can be read', async () => {
    const { id } = await world.startPayment();
    await heard(({ runId, status }) => runId === id && status === 'waiting');
    expect((await approvalOf(world.api, id)).status).toBe('pending');
  });

  test('a decision is heard of, even while it is held and nothing else moves', async () => {
    const run = await world.startPayment();
    const approval = await approvalOf(world.api, run.id);
    await world.api.expect(200, decide(world.api, approval, { decision: 'approve', holdSeconds: 10 }));
    await heard(({ runId, seq }) => runId === run.id && seq === run.seq + 1);
    expect(await readApproval(approval)).toBe('approved');
  });

  test('an expiry, which nobody asked for, is heard of', async () => {
    const run = await world.startPayment({ limits: { approvalTtlSeconds: 1 } });
    const approval = await approvalOf(world.api, run.id);
    // The newest news of a run replaces what was not sent yet: of what follows the expiry only the end is certain.
    await heard(({ runId, seq }) => runId === run.id && seq > run.seq);
    await endOf(world.api, run.id, 'completed');
    expect(await readApproval(approval)).toBe('expired');
  });

  test('a cancellation is heard of', async () => {
    const run = await world.startPayment();
    const approval = await approvalOf(world.api, run.id);
    await world.api.expect(202, world.api.post(`/v1/runs/${run.id}/cancel`, {}));
    await heard(({ runId, status }) => runId === run.id && status === 'cancelled');
    expect(await readApproval(approval)).toBe('cancelled');
  });

  test('a tenant hears of its own runs alone', async () => {
    const stranger = await openRunsWorld();
    stranger.model.play([{ text: 'Done.' }]);
    const theirs = await stranger.start();
    await endOf(stranger.api, theirs.id, 'completed');
    world.model.play([{ text: 'Done.' }]);
    const ours = await world.start();
    const changes = await hear((all) => all.some(({ status }) => status === 'completed'));
    expect(new Set(changes.map(({ runId }) => runId))).toEqual(new Set([ours.id]));
    await stranger.close();
  });

  test('the streams of changes and of events have one ceiling', async () => {
    const { id } = await world.startPayment();
    const streams = await Promise.all(
      Array.from({ length: 99 }, () => openEventStream(world.api, '/v1/changes')),
    );
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expectProblem(await world.api.get('/v1/changes'), 429, 'too_many_streams');
    const refused = await world.api.get(`/v1/runs/${id}/events`, { accept: 'text/event-stream' });
    expectProblem(refused, 429, 'too_many_streams');
    for (const each of streams) each.close();
  });
});
