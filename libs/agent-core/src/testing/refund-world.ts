import type { PolicyRule } from '../policy/policy-rule.js';
import { conversationOf } from '../run/conversation.js';
import { bindResult } from '../run/result-binding.js';
import { call, reply, tool } from './loop-fixtures.js';
import { LoopWorld } from './loop-world.js';

/** A shop: one read, one refund that must not happen twice, and the reply that proposes it. */
export const read = tool('search_orders', 'read');
/** A read that the worker computes itself. */
export const convert = tool('convert', 'read', { executor: { type: 'builtin', handler: 'echo' } });
export const refund = tool('refund_order', 'once', { reconcile: { url: 'http://shop/reconcile' } });
export const done = reply({ text: 'Done.' });
export const refundReply = reply({
  calls: [call('refund_order', { orderId: 3, amount: '10.00' }, 'call_1')],
});

export function rule(part: Partial<PolicyRule>): PolicyRule {
  return {
    tool: '*',
    when: [],
    action: 'allow',
    approvals: 1,
    approverRole: null,
    ttlSeconds: null,
    onExpiry: null,
    reason: null,
    ...part,
  };
}

/** What the model reads of its calls, in order. */
export function results(world: LoopWorld): readonly string[] {
  return conversationOf(world.run, []).flatMap((item) => (item.role === 'tool' ? [item.text] : []));
}

/** A run that has proposed the refund and waits for a person. */
export async function waitingForApproval(
  parts: Partial<ConstructorParameters<typeof LoopWorld>[0]> = {},
): Promise<LoopWorld> {
  const world = new LoopWorld({ tools: [read, refund], replies: [refundReply, done], ...parts });
  await world.work();
  if (world.run.status.name !== 'waiting') throw new Error(`the run is ${world.run.status.name}`);
  return world;
}

/** The word of a person on the only call whose outcome is unknown. */
export function settle(world: LoopWorld, outcome: 'happened' | 'did_not_happen', text: string): void {
  const call = world.run.turns.flatMap(({ calls }) => calls).find(({ state }) => state.status === 'unknown');
  if (call?.state.status !== 'unknown') throw new Error('no outcome is unknown');
  const binding = bindResult(world.run, call, call.state, { output: null, text });
  const by = { type: 'key', id: 'key_1' } as const;
  world.append({ type: 'tool.settled', toolCallId: call.id, outcome, by, output: null, text, binding });
}
