import { createTool } from '../support/definitions.js';
import type { ReplyCall } from '../support/model-reply.js';
import { decide } from '../support/runs.js';
import type { ApprovalView, EventView, RunView } from '../support/wire.js';
import { expectInvalid, expectProblem } from './problem.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

type Word = 'allow' | 'require_approval' | 'deny';
interface MoneyView {
  readonly amount: string;
  readonly currency: string;
}
interface SimulationView {
  readonly from: string;
  readonly to: string;
  readonly complete: boolean;
  readonly calls: number;
  readonly notJudged: number;
  readonly outcomes: readonly {
    readonly recorded: Word;
    readonly simulated: Word;
    readonly calls: number;
    readonly money: readonly MoneyView[];
  }[];
  readonly rejectedButAllowed: {
    readonly calls: number;
    readonly money: readonly MoneyView[];
    readonly data: readonly {
      readonly toolCallId: string;
      readonly arguments: unknown;
      readonly rule: string;
    }[];
  };
}

const pay = (order: number, amount: string): ReplyCall => ({ tool: 'pay', arguments: { order, amount } });
const note = (level: unknown): ReplyCall => ({
  tool: 'note',
  arguments: { level } as Record<string, unknown>,
});
const look = (order: number): ReplyCall => ({ tool: 'look', arguments: { order } });

describe('POST /v1/policy/simulate', () => {
  let world: RunsWorld;
  beforeEach(async () => {
    world = await openRunsWorld();
    await createTool(world.api, world.tools, {
      name: 'note',
      effect: 'idempotent',
      parameters: { type: 'object', properties: { level: {} } },
    });
    world.tools.on('note', () => ({ status: 200, body: { noted: true } }));
    await setAgentRules([]);
  });
  afterEach(() => world.close());

  async function setAgentRules(policy: readonly object[]): Promise<void> {
    const { body } = await world.api.get<Record<string, unknown>>('/v1/agents/agent');
    const { model, instructions } = body;
    const agent = { model, instructions, tools: ['look', 'pay', 'note'], policy };
    await world.api.expect(200, world.api.put('/v1/agents/agent', agent));
  }

  /** A run whose model proposes these calls, a turn each list, and then ends; people answer what is asked. */
  async function play(
    turns: readonly (readonly ReplyCall[])[],
    answer: (index: number) => object = () => ({ decision: 'approve' }),
  ): Promise<readonly EventView[]> {
    world.model.play([...turns.map((calls) => ({ calls })), { text: 'Done.' }]);
    const { id } = await world.start();
    const answered = new Set<string>();
    const asked = ({ waitingOn }: RunView) =>
      waitingOn?.approvals.filter((each) => !answered.has(each)) ?? [];
    for (;;) {
      const run = await world.api.waitFor(
        id,
        (seen) => seen.status === 'completed' || asked(seen).length > 0,
      );
      if (run.status === 'completed') return world.api.events(id);
      for (const approvalId of asked(run)) {
        const path = `/v1/approvals/${approvalId}`;
        const approval = await world.api.expect(200, world.api.get<ApprovalView>(path));
        const decision = { decision: 'approve' as const, ...answer(answered.size) };
        await world.api.expect(200, decide(world.api, approval, decision));
        answered.add(approvalId);
      }
    }
  }

  /** Simulates over just the calls that were proposed within these events. */
  async function simulate(policy: object, events: readonly EventView[]): Promise<SimulationView> {
    const proposed = events.filter(({ type }) => type === 'model.responded').map(({ at }) => Date.parse(at));
    const from = new Date(Math.min(...proposed)).toISOString();
    const to = new Date(Math.max(...proposed) + 1).toISOString();
    return world.api.expect(
      200,
      world.api.post<SimulationView>('/v1/policy/simulate', { ...policy, from, to }),
    );
  }

  /** What the run's history says was decided: of each call the last verdict of policy. */
  function recordedIn(events: readonly EventView[]): Record<string, number> {
    const last = new Map<unknown, Word>();
    for (const { type, data } of events) {
      if (type === 'tool.permitted') last.set(data.toolCallId, 'allow');
      if (type === 'approval.requested') last.set(data.toolCallId, 'require_approval');
      if (type === 'tool.denied' && data.code === 'policy_denied') last.set(data.toolCallId, 'deny');
    }
    const counts: Record<string, number> = {};
    for (const word of last.values()) counts[`${word} ${word}`] = (counts[`${word} ${word}`] ?? 0) + 1;
    return counts;
  }

  function countsOf({ outcomes }: SimulationView): Record<string, number> {
    return Object.fromEntries(
      outcomes.map(({ recorded, simulated, calls }) => [`${recorded} ${simulated}`, calls]),
    );
  }

  const when = (path: string, op: string, value: unknown) => [{ path, op, value }];
  const POLICIES = [
    { rules: [] },
    { rules: [{ tool: '*', action: 'allow' }] },
    {
      rules: [
        { tool: 'pay', action: 'allow', when: when('/amount', 'lte', '20') },
        { tool: 'pay', action: 'deny', when: when('/amount', 'gt', '1000.00') },
        { tool: 'note', action: 'require_approval', when: when('/level/deep', 'eq', 1) },
        { tool: 'lo*', action: 'deny', when: when('/order', 'in', [3, '4.0']) },
      ],
    },
    { rules: [{ tool: 'note', action: 'deny', when: when('/level', 'lt', 5) }], agentsMayLoosen: true },
    {
      rules: [{ tool: '*', action: 'require_approval', approvals: 1, ttlSeconds: 60 }],
      allowlist: ['look', 'pay'],
    },
  ];

  test.each(POLICIES)(
    'the rules that were in force decide as they did, on every call: %j',
    async (policy) => {
      await setAgentRules([
        { tool: 'pay', action: 'allow', when: when('/order', 'eq', 1) },
        { tool: 'note', action: 'allow', when: when('/level', 'exists', true) },
        { tool: 'look', action: 'require_approval', when: when('/order', 'gte', 100) },
      ]);
      await world.api.expect(200, world.api.put('/v1/policy', policy));
      const events = await play(
        [
          [look(1), look(3), look(4), look(100), pay(1, '12.50'), pay(2, '20'), pay(3, '1000.01')],
          [note(1), note({ deep: 1 }), note('9007199254740993'), { tool: 'note', arguments: {} }],
          [
            look(1),
            pay(1, '12.50'),
            { tool: 'pay', arguments: { order: 'x' } },
            { tool: 'gone', arguments: {} },
          ],
        ],
        (index) => (index % 3 === 2 ? { decision: 'reject' } : {}),
      );
      const recorded = recordedIn(events);
      expect(Object.keys(recorded).length).toBeGreaterThan(1);
      const simulated = await simulate(policy, events);
      expect(countsOf(simulated)).toEqual(recorded);
      const judged = Object.values(recorded).reduce((sum, count) => sum + count, 0);
      expect(simulated).toMatchObject({ complete: true, calls: judged, notJudged: 15 - judged });
      expect(simulated.rejectedButAllowed.calls).toBe(0);
    },
  );

  test('a run that was handed over to people after many denials stays handed over', async () => {
    const policy = {
      rules: [
        { tool: 'note', action: 'deny' },
        { tool: 'pay', action: 'allow' },
      ],
    };
    await world.api.expect(200, world.api.put('/v1/policy', policy));
    const events = await play([[1, 2, 3, 4, 5].map(note), [pay(7, '12.50'), look(1)]]);
    expect(events.filter(({ data }) => data.policyRule === 'handover')).toHaveLength(2);
    expect(countsOf(await simulate(policy, events))).toEqual({
      'deny deny': 5,
      'require_approval require_approval': 2,
    });
  });

  test('says what other rules would have done: counts, money, and the rejected calls that would now pass', async () => {
    const events = await play([[pay(1, '12.50'), pay(2, '0.10'), pay(3, '30'), note(1)]], (index) => {
      if (index === 0) return { decision: 'reject' };
      return index === 1 ? { editedArguments: { order: 2, amount: '500' } } : {};
    });
    const simulated = await simulate(
      {
        rules: [
          { tool: 'pay', action: 'allow', when: when('/amount', 'lt', '20') },
          { tool: 'note', action: 'deny' },
        ],
      },
      events,
    );
    // The second was judged by what the model proposed, not by what a reviewer made of it.
    expect(simulated.outcomes).toEqual([
      {
        recorded: 'require_approval',
        simulated: 'allow',
        calls: 2,
        money: [{ amount: '12.600000', currency: 'USD' }],
      },
      {
        recorded: 'require_approval',
        simulated: 'require_approval',
        calls: 1,
        money: [{ amount: '30.000000', currency: 'USD' }],
      },
      { recorded: 'require_approval', simulated: 'deny', calls: 1, money: [] },
    ]);
    expect(simulated.rejectedButAllowed).toEqual({
      calls: 1,
      money: [{ amount: '12.500000', currency: 'USD' }],
      data: [
        {
          runId: expect.stringMatching(/^run_/),
          toolCallId: expect.stringMatching(/^tcl_/),
          approvalId: expect.stringMatching(/^apr_/),
          tool: 'pay',
          arguments: { order: 1, amount: '12.50' },
          money: { amount: '12.50', currency: 'USD' },
          rule: 'tenant:0',
          proposedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect((await world.api.get('/v1/policy')).body).toMatchObject({ version: 0 });
  });

  test('sees nothing of another tenant, and only the time that was asked for', async () => {
    const events = await play([[look(1)]]);
    const stranger = await world.stranger();
    const [from, to] = ['2020-01-01T00:00:00Z', '2100-01-01T00:00:00+01:00'];
    const asked = (api: typeof stranger, span: object) =>
      api.expect(200, api.post<SimulationView>('/v1/policy/simulate', { rules: [], ...span }));
    expect(await asked(stranger, { from, to })).toMatchObject({ calls: 0, notJudged: 0, outcomes: [] });
    expect(await asked(world.api, { from, to })).toMatchObject({
      calls: 1,
      from: '2020-01-01T00:00:00.000Z',
    });
    const before = events.find(({ type }) => type === 'model.responded')?.at;
    expect(await asked(world.api, { from, to: before })).toMatchObject({ calls: 0 });
  });

  test('is for admins, and refuses rules and times that say nothing', async () => {
    const { api } = world;
    const { apiKey } = await api.expect(
      201,
      api.post<{ apiKey: string }>('/v1/keys', { name: 'reader', scopes: ['agents:read', 'agents:write'] }),
    );
    const [from, to] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
    const path = '/v1/policy/simulate';
    expectProblem(await api.withKey(apiKey).post(path, { rules: [], from, to }), 403, 'missing_scope');
    expectInvalid(await api.post(path, { rules: [], from: to, to: from }), '/to');
    expectInvalid(await api.post(path, { rules: [], from }), '/to');
    expectInvalid(
      await api.post(path, { rules: [{ tool: '*', action: 'shout' }], from, to }),
      '/rules/0/action',
    );
    expectInvalid(
      await api.post(path, { rules: [{ tool: '*', action: 'deny', when: when('/a', 'lt', 'x') }], from, to }),
      '/rules/0/when/0/value',
    );
  });
});
