import type { JsonText } from '../shared/brand.js';
import { call, OPEN_POLICY, reply, tool } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';
import { done, read, results, rule } from '../testing/refund-world.js';
import type { ToolOutcome } from './ports.js';

const weather = tool('get_weather', 'read');
const FAILURE: Extract<ToolOutcome, { type: 'failed' }> = {
  type: 'failed',
  code: 'tool_unavailable',
  detail: 'The tool answered 500.',
  infrastructure: true,
  attempts: 3,
};
const CLOSED_NOW =
  'The tool answered 500.\n"search_orders" has now failed 3 times in a row and is closed for the rest of this run. ' +
  'Do not call it again: go on with the other tools, or say what is missing.';
const CLOSED =
  '"search_orders" failed 3 times in a row, so it is closed for the rest of this run. Nothing was run. ' +
  'Go on with the other tools, or say what is missing.';

const search = (orderId: number) => reply({ calls: [call('search_orders', { orderId })] });
const states = ({ run }: LoopWorld) => run.turns.flatMap(({ calls }) => calls.map(({ state }) => state));
const codes = (world: LoopWorld) =>
  states(world).map((state) => ('code' in state ? state.code : state.status));

/** `search_orders` answers as the list says, then as ever; everything else succeeds. */
function searchesEnd(world: LoopWorld, outcomes: readonly (ToolOutcome | null)[]): void {
  const usual = world.outcome;
  let searches = 0;
  world.outcome = (invocation) => {
    if (invocation.call.tool !== 'search_orders') return usual(invocation);
    searches += 1;
    return outcomes[searches - 1] ?? usual(invocation);
  };
}

describe('a tool that fails', () => {
  test('three times running is closed for the run: the model reads which and why, and other tools go on', async () => {
    const other = reply({ calls: [call('get_weather', {})] });
    const world = new LoopWorld({
      tools: [read, weather],
      replies: [search(1), search(2), search(3), search(4), other, done],
    });
    searchesEnd(world, [FAILURE, FAILURE, FAILURE]);
    await world.work();
    expect(results(world)).toEqual([
      'The tool answered 500.',
      'The tool answered 500.',
      CLOSED_NOW,
      CLOSED,
      '{"done":"get_weather"}',
    ]);
    expect(codes(world).at(3)).toBe('tool_disabled');
    expect(world.performed).toHaveLength(4);
    expect(world.run.status).toMatchObject({ status: 'completed' });
    expect(world.asked.at(-1)?.tools).toEqual(world.asked[0]?.tools);
  });

  test('and works in between is not closed', async () => {
    const world = new LoopWorld({
      tools: [read],
      replies: [search(1), search(2), search(3), search(4), search(5), search(6), done],
    });
    searchesEnd(world, [FAILURE, FAILURE, null, FAILURE, FAILURE]);
    await world.work();
    expect(codes(world)).toEqual([
      'tool_unavailable',
      'tool_unavailable',
      'succeeded',
      'tool_unavailable',
      'tool_unavailable',
      'succeeded',
    ]);
  });

  test('for its arguments is not closed, whoever refuses them: the schema, the tool or the policy', async () => {
    const refusedByTool: ToolOutcome = {
      type: 'failed',
      code: 'arguments_refused',
      detail: 'until: must not be before since',
      infrastructure: false,
      attempts: 1,
    };
    const invalid = reply({ calls: [call('search_orders', { orderId: 'x' })] });
    const denied = search(99);
    const world = new LoopWorld({
      tools: [read],
      replies: [search(1), invalid, search(2), denied, search(3), search(4), search(5), search(6), done],
    });
    world.governance = {
      ...world.governance,
      policy: {
        ...OPEN_POLICY,
        rules: [rule({ action: 'deny', when: [{ path: '/orderId', op: 'eq', value: '99' as JsonText }] })],
      },
    };
    searchesEnd(world, [FAILURE, FAILURE, refusedByTool, refusedByTool, refusedByTool]);
    await world.work();
    expect(codes(world)).toEqual([
      'tool_unavailable',
      'arguments_invalid',
      'tool_unavailable',
      'policy_denied',
      'arguments_refused',
      'arguments_refused',
      'arguments_refused',
      'succeeded',
    ]);
  });

  test('is closed to the calls of the same turn that have not run yet', async () => {
    const five = reply({ calls: [1, 2, 3, 4, 5].map((orderId) => call('search_orders', { orderId })) });
    const world = new LoopWorld({
      tools: [read],
      limits: { maxParallelToolCalls: 3 },
      replies: [five, done],
    });
    searchesEnd(world, [FAILURE, FAILURE, FAILURE]);
    await world.work();
    expect(world.performed).toHaveLength(3);
    expect(codes(world).slice(3)).toEqual(['tool_disabled', 'tool_disabled']);
    expect(results(world).slice(2)).toEqual([CLOSED_NOW, CLOSED, CLOSED]);
  });

  test('is told closed only when that stays true, whatever becomes of a sibling that still runs', async () => {
    const three = reply({ calls: [1, 2, 3].map((orderId) => call('search_orders', { orderId })) });
    const world = new LoopWorld({ tools: [read], replies: [three, search(4), search(5), done] });
    const usual = world.outcome;
    let openSecond = (): void => undefined;
    const secondMayEnd = new Promise<void>((resolve) => {
      openSecond = resolve;
    });
    world.outcome = async (invocation) => {
      if (invocation.call.index === 1) await secondMayEnd;
      else if (invocation.call.index === 2) setImmediate(openSecond);
      return invocation.call.index === 1 ? usual(invocation) : FAILURE;
    };
    await world.work();
    // Failed, worked, failed; then failed twice more: only the last of them is the third running.
    expect(results(world)).toEqual([
      FAILURE.detail,
      '{"done":"search_orders"}',
      FAILURE.detail,
      FAILURE.detail,
      CLOSED_NOW,
    ]);
  });

  test('takes the question to a person back, when one is asked about it', async () => {
    const calls = [1, 2, 3, 9].map((orderId) => call('search_orders', { orderId }));
    const world = new LoopWorld({ tools: [read], replies: [reply({ calls }), done] });
    const asked = rule({
      action: 'require_approval',
      when: [{ path: '/orderId', op: 'eq', value: '9' as JsonText }],
    });
    world.governance = { ...world.governance, policy: { ...OPEN_POLICY, rules: [asked] } };
    searchesEnd(world, [FAILURE, FAILURE, FAILURE]);
    await world.work();
    expect(world.types.filter((type) => type.startsWith('approval.'))).toEqual([
      'approval.requested',
      'approval.cancelled',
    ]);
    expect(codes(world).at(-1)).toBe('tool_disabled');
    expect(world.run.status).toMatchObject({ status: 'completed' });
  });

  test('for want of its facts has failed like any other, and nothing ran', async () => {
    const checked = tool('search_orders', 'read', { check: { url: 'http://shop/check' } });
    const world = new LoopWorld({
      tools: [checked],
      replies: [search(1), search(2), search(3), search(4), done],
    });
    world.facts = { type: 'unavailable', detail: 'no answer' };
    await world.work();
    expect(world.performed).toHaveLength(0);
    expect(codes(world)).toEqual([...Array(3).fill('check_unavailable'), 'tool_disabled']);
    expect(results(world).at(2)).toContain('closed for the rest of this run');
  });
});
