import type { JsonText, RunEvent } from '@countersign/agent-core';
import fc from 'fast-check';
import { newId } from '../../apps/api/src/platform/ids.js';
import { ARGUMENTS, ARGUMENTS_DIGEST, CHECKS, permitted, reply, startedCall, succeeded } from './events.js';
import { claim, commit, type Held, start, type World } from './support.js';

const failed = (code: 'rate_limited' | 'timeout', wasteUsd: string): RunEvent => {
  const { choice, provider, api, model, requestDigest, revision, priceVersion, startedAt } = reply('');
  const attempt = { choice, provider, api, model, requestDigest, revision, priceVersion, startedAt };
  const money = { usage: null, estimated: true, costUsd: wasteUsd, wasteUsd };
  const what = { code, message: 'no', httpStatus: 429, retryable: true, retryAfterMs: null };
  return { type: 'model.failed', ...attempt, modelCallId: newId('mdl'), ...money, ...what };
};

const ends = {
  completed: { type: 'run.finished', status: 'completed', reason: null, output: 'Done.' },
  failed: {
    type: 'run.finished',
    status: 'failed',
    reason: { code: 'turn_limit', message: 'm' },
    output: null,
  },
} as const;

/** What becomes of a run. Costs are in units of the thirteenth decimal. */
export interface History {
  readonly subject: string | null;
  readonly turns: readonly { readonly cost: number; readonly calls: readonly string[] }[];
  readonly failures: number;
  /** What becomes of a call that a person is asked about; null: none is. */
  readonly asked: 'approve' | 'reject' | 'edit' | null;
  readonly end: 'completed' | 'failed' | 'open' | 'unknown';
}

export const history: fc.Arbitrary<History> = fc.record({
  subject: fc.option(fc.constantFrom('{"id":"c1"}', '{"id":"c2"}'), { nil: null }),
  turns: fc.array(
    fc.record({
      cost: fc.integer({ min: 0, max: 1_000_000_007 }),
      calls: fc.array(fc.constantFrom('refund', 'look', ''), { maxLength: 4 }),
    }),
    { maxLength: 3 },
  ),
  failures: fc.integer({ min: 0, max: 2 }),
  asked: fc.constantFrom('approve', 'reject', 'edit', null),
  end: fc.constantFrom('completed', 'failed', 'open', 'unknown'),
});

function decided(how: 'approve' | 'reject' | 'edit', turn: number): RunEvent[] {
  const toolCallId = newId('tcl');
  const approvalId = toolCallId.replace('tcl_', 'apr_');
  const asks = { argumentsDigest: ARGUMENTS_DIGEST, arguments: ARGUMENTS };
  const terms = {
    requiredApprovals: 1,
    approverRoles: [],
    onExpiry: 'reject',
    reason: 'Money moves.',
  } as const;
  const times = { requestedAt: Date.now() - 1_234, expiresAt: Date.now() + 60_000 };
  const rule = { policyRule: 'tenant:0', policyVersion: 1, checks: CHECKS };
  return [
    reply(newId('mdl'), { turn, calls: [{ toolCallId }] }),
    { type: 'approval.requested', toolCallId, approvalId, ...asks, ...terms, ...times, ...rule },
    {
      type: 'approval.decided',
      approvalId,
      toolCallId,
      by: { type: 'key', id: 'key_1' },
      decision: how === 'reject' ? 'reject' : 'approve',
      message: null,
      edited: how === 'edit' ? asks : null,
      notBefore: Date.now(),
    },
  ];
}

/** A run that was played, as it stands. */
export interface Played {
  readonly at: Held;
  /** The call of which nobody knows whether it ran, where the run ended with one. */
  readonly unknown: string | null;
}

/** Plays a history; gives the run and, where it ended with an unknown outcome, that call. */
export async function play(
  world: World,
  tenant: string,
  { subject, turns, failures, asked, end }: History,
): Promise<Played> {
  await start(world, tenant, { subject: subject as JsonText | null });
  let at = await claim(world);
  const add = async (...events: RunEvent[]) => {
    const { outcome, run } = await commit(world, at, { events });
    expect(outcome.type).toBe('committed');
    at = { ...at, run };
  };
  for (let each = 0; each < failures; each += 1) await add(failed('rate_limited', '0.0000000001'));
  for (const [index, { cost, calls }] of turns.entries()) {
    const named = calls.map((tool) => ({ toolCallId: newId('tcl'), tool }));
    const costUsd = (cost / 1e13).toFixed(13);
    await add(reply(newId('mdl'), { turn: index + 1, costUsd, calls: named }));
    for (const { toolCallId } of named) {
      await add(permitted(toolCallId), startedCall(toolCallId, null), succeeded(toolCallId));
    }
  }
  if (asked !== null) await add(...decided(asked, at.run.turns.length + 1));
  if (end === 'open') return { at, unknown: null };
  if (end !== 'unknown') {
    await add(ends[end]);
    return { at, unknown: null };
  }
  const toolCallId = newId('tcl');
  await add(reply(newId('mdl'), { turn: at.run.turns.length + 1, costUsd: '0.1', calls: [{ toolCallId }] }));
  await add(permitted(toolCallId), startedCall(toolCallId, null));
  const what = { message: 'silence', onUnknown: 'ask', askUntil: Date.now(), attempts: 1 } as const;
  await add({ type: 'tool.unknown', toolCallId, ...what }, ends.failed);
  return { at, unknown: toolCallId };
}
