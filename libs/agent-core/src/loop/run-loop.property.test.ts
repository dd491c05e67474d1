import fc from 'fast-check';
import type { FinishReason } from '../model/model-event.js';
import { conversationOf } from '../run/conversation.js';
import { evolve } from '../run/evolve.js';
import type { JsonText } from '../shared/brand.js';
import { call, OPEN_POLICY, reply, tool } from '../testing/loop-fixtures.js';
import { LoopWorld } from '../testing/loop-world.js';

const tools = [
  tool('read', 'read'),
  tool('convert', 'read', { executor: { type: 'builtin', handler: 'echo' } }),
  tool('note', 'idempotent'),
  tool('refund', 'once', { reconcile: { url: 'http://shop' } }),
  tool('mail', 'once'),
];

const argumentText = fc.oneof(
  fc.integer({ min: 0, max: 2 }).map((orderId) => JSON.stringify({ orderId })),
  fc.constantFrom('', '{', '{"orderId":"x"}', 'null', '[]', '{"orderId":1'),
  fc.string(),
);
const proposal = fc.record({
  tool: fc.constantFrom('read', 'convert', 'note', 'refund', 'mail', 'delete_pod', '__proto__'),
  arguments: argumentText,
  id: fc.constantFrom(null, 'call_1', 'call_2', ''),
});
const finish = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<FinishReason['unified']>(
      'stop',
      'max_tokens',
      'refusal',
      'content_filter',
      'pause',
      'error',
      'context_overflow',
    ),
  },
);
const modelReply = fc.record({
  text: fc.string({ maxLength: 5 }),
  calls: fc.array(proposal, { maxLength: 3 }),
  finish,
});
const step = fc.constantFrom(
  'work',
  'work',
  'work',
  'approve',
  'reject',
  'cancel',
  'later',
  'much_later',
  'kill_intent',
  'kill_effect',
  'unknown',
  'happened',
  'did_not_happen',
  'policy',
);

type ScriptedReply = typeof modelReply extends fc.Arbitrary<infer Reply> ? Reply : never;

function worldOf(replies: readonly ScriptedReply[]): LoopWorld {
  const scripted = replies.map(({ text, calls, finish: unified }) =>
    reply({
      text,
      calls: calls.map(({ tool: name, arguments: args, id }) => call(name, args, id === '' ? null : id)),
      ...(unified === null ? {} : { finish: { unified, raw: unified } }),
    }),
  );
  const further = Array.from({ length: 40 }, () => reply({ text: 'Done.' }));
  return new LoopWorld({ tools, limits: { maxTurns: 12 }, replies: [...scripted, ...further] });
}

async function take(world: LoopWorld, action: string): Promise<void> {
  switch (action) {
    case 'work':
      if (world.run.status.name !== 'finished') await world.work();
      return;
    case 'approve':
    case 'reject':
      if (world.types.includes('approval.requested')) world.decide(action);
      return;
    case 'cancel':
      world.append({ type: 'run.cancel_requested', by: { type: 'key', id: 'key_1' } });
      return;
    case 'later':
      world.now += 2_000;
      return;
    case 'much_later':
      world.now += 90_000_000;
      return;
    case 'kill_intent':
      world.killAt = 'after_intent';
      return;
    case 'kill_effect':
      world.killAt = 'after_effect';
      return;
    case 'unknown':
      world.outcome = () => ({ type: 'unknown', detail: 'no answer', infrastructure: true, attempts: 1 });
      world.reconciliation = { type: 'unknown', detail: 'no answer' };
      return;
    case 'happened':
      world.reconciliation = { type: 'happened', output: '{}' as JsonText };
      return;
    case 'did_not_happen':
      world.reconciliation = { type: 'did_not_happen' };
      return;
    case 'policy':
      world.governance = {
        ...world.governance,
        revision: world.governance.revision + 1,
        policy: { ...OPEN_POLICY, version: world.governance.revision },
      };
  }
}

/** Each call has exactly one result, right behind its turn and in call order, and no call id stands twice. */
function expectValidHistory(world: LoopWorld): void {
  const items = conversationOf(world.run, []);
  const ids = items.flatMap((item) =>
    item.role === 'assistant' ? item.calls.map(({ callId }) => callId) : [],
  );
  expect(new Set(ids).size).toBe(ids.length);
  let owed: string[] = [];
  for (const item of items) {
    if (item.role === 'tool') {
      expect(item.callId).toBe(owed.shift());
      expect(item.text).not.toBe('');
    } else {
      expect(owed).toEqual([]);
      owed = item.role === 'assistant' ? item.calls.map(({ callId }) => callId) : [];
    }
  }
  expect(owed).toEqual([]);
}

test('whatever a model sends and people do: the history stays valid, and no effect happens twice unless it is known not to have happened', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(modelReply, { maxLength: 5 }),
      fc.array(step, { maxLength: 14 }),
      async (replies, steps) => {
        const world = worldOf(replies);
        for (const action of [...steps, 'work']) {
          await take(world, action);
          expectValidHistory(world);
        }
        const settledAsUndone = world.events.filter(
          ({ event }) => event.type === 'tool.settled' && event.outcome === 'did_not_happen',
        ).length;
        const once = world.performed
          .filter(({ definition }) => definition.effect === 'once')
          .map(({ idempotencyKey }) => idempotencyKey);
        expect(once.length - new Set(once).size).toBeLessThanOrEqual(settledAsUndone);
        expect(world.events.map(({ seq }) => seq)).toEqual(world.events.map((_, index) => index + 1));
        for (const { event, at } of world.events) {
          if (event.type === 'run.waiting') expect(event.until).toBeGreaterThan(at);
        }
        const { run } = world;
        if (run.status.name === 'finished') {
          const late = evolve(run, {
            seq: run.seq + 1,
            at: world.now,
            event: { type: 'run.queued', reason: 'timer' },
          });
          expect(late.status).toEqual(run.status);
        }
      },
    ),
    { numRuns: fc.readConfigureGlobal().numRuns ?? 400 },
  );
});
