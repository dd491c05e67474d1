import { foldRun } from '@countersign/agent-core';
import { call, LoopWorld, reply, tool } from '@countersign/agent-core/testing';
import { receivedOf } from './received.js';

const IDENTITY = { id: 'run_1', tenant: 'ten_1' };
const usage = (inputTokens: number) => ({
  inputTokens,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
});

test('each model call tells how many messages it was sent, and shares that add up to the tokens that were counted', async () => {
  const search = (orderId: number, inputTokens: number) =>
    reply({ calls: [call('search_orders', { orderId })], usage: usage(inputTokens) });
  const world = new LoopWorld({
    tools: [tool('search_orders', 'read')],
    replies: [search(1, 101), search(2, 211), reply({ text: 'Done.', usage: usage(307) })],
  });
  await world.work();
  const received = [...receivedOf(IDENTITY, world.events, { ...world.definitions, history: [] }).values()];
  expect(received.map(({ messages }) => messages)).toEqual([1, 3, 5]);
  const sums = received.map((one) =>
    [one.instructionsTokens, one.toolsTokens, one.conversationTokens].reduce<number>(
      (a, b) => a + (b ?? 0),
      0,
    ),
  );
  expect(sums).toEqual([101, 211, 307]);
  const shares = received.map((one) => (one.conversationTokens ?? 0) / ((one.toolsTokens ?? 0) + 1));
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(foldRun(IDENTITY, world.events).modelCalls).toBe(received.length);
});

test('a call whose tokens nobody counted tells its messages alone', async () => {
  const world = new LoopWorld({ replies: [reply({ text: 'Done.', usage: null })] });
  await world.work();
  expect([...receivedOf(IDENTITY, world.events, { ...world.definitions, history: [] }).values()]).toEqual([
    { messages: 1, instructionsTokens: null, toolsTokens: null, conversationTokens: null },
  ]);
});
