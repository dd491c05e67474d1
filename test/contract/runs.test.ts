import { gate } from '../support/gate.js';
import type { RunView } from '../support/wire.js';
import { expectInvalid } from './problem.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

describe('runs', () => {
  let world: RunsWorld;
  beforeEach(async () => {
    world = await openRunsWorld({ limits: { maxTurns: 5, maxTokens: 1_000 }, budget: { perRunUsd: '0.50' } });
  });
  afterEach(() => world.close());

  /** A model that answers only when the gate opens. */
  const heldModel = () => {
    const held = gate();
    world.model.play(async () => {
      await held.opened;
      return { text: 'Done.' };
    });
    return held;
  };

  describe('waiting', () => {
    test('answers as soon as the run has ended', async () => {
      const held = heldModel();
      const { id } = await world.start();
      const waiting = world.api.get<RunView>(`/v1/runs/${id}?wait=60`);
      held.open();
      expect((await waiting).body).toMatchObject({ id, status: 'completed' });
    });

    test('answers as soon as the run waits on a person', async () => {
      world.model.play([{ calls: [{ tool: 'pay', arguments: { order: 3, amount: '1' } }] }]);
      const { id } = await world.start({ subject: { id: 'wait' } });
      const answer = await world.api.get<RunView>(`/v1/runs/${id}?wait=60`);
      expect(answer.body).toMatchObject({
        status: 'waiting',
        waitingOn: {
          approvals: [expect.stringMatching(/^apr_/)],
          toolResults: [],
          outcomes: [],
          until: expect.any(String),
          why: null,
        },
      });
    });

    test('answers with the run as it stands when the time is over', async () => {
      const held = heldModel();
      const { id } = await world.start();
      const answer = await world.api.get<RunView>(`/v1/runs/${id}?wait=1`);
      expect(['queued', 'running']).toContain(answer.body.status);
      held.open();
    });

    test.each(['wait=61', 'wait=-1', 'wait=soon'])('refuses %s', async (query) => {
      const { id } = await world.start();
      expectInvalid(await world.api.get(`/v1/runs/${id}?${query}`), 'wait');
    });
  });

  describe('cancelling', () => {
    test('gives 202, ends the run, and changes nothing when repeated', async () => {
      const run = await world.startPayment({ subject: { id: 'cancel' } });
      const first = await world.api.post<RunView>(`/v1/runs/${run.id}/cancel`, {});
      expect(first.status).toBe(202);
      const ended = await world.api.waitFor(run.id, ({ status }) => status === 'cancelled');
      expect(ended).toMatchObject({ statusReason: null, waitingOn: null, output: null });
      const again = await world.api.post<RunView>(`/v1/runs/${run.id}/cancel`, {});
      expect([again.status, again.body]).toEqual([200, ended]);
      const types = (await world.api.events(run.id)).map(({ type }) => type);
      expect(types.filter((type) => type === 'run.cancel_requested')).toHaveLength(1);
      expect(types.at(-1)).toBe('run.finished');
      const approval = await world.api.get<{ status: string }>(
        `/v1/approvals/${run.waitingOn?.approvals[0]}`,
      );
      expect(approval.body.status).toBe('cancelled');
    });

    test('asked twice at once is asked once', async () => {
      const run = await world.startPayment({ subject: { id: 'twice' } });
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => world.api.post(`/v1/runs/${run.id}/cancel`, {})),
      );
      for (const { status } of answers) expect([200, 202]).toContain(status);
      await world.api.waitFor(run.id, ({ status }) => status === 'cancelled');
      const types = (await world.api.events(run.id)).map(({ type }) => type);
      expect(types.filter((type) => type === 'run.cancel_requested')).toHaveLength(1);
    });
  });
});
