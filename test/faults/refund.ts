import path from 'node:path';
import { type OrdersWorld, openOrders, proposeRefund } from '../scenarios/orders-world.js';
import { approve, callOf, messagesOf, toolCallsOf } from '../support/runs.js';
import type { ServerProcess } from '../support/server-process.js';
import type { Stack } from '../support/stack.js';
import { FINAL_STATUSES, type RunView } from '../support/wire.js';

/** The environment of a process that dies at the `times`-th passage of a fault point. */
export function dyingAt(point: string, times = 1): Record<string, string> {
  return {
    NODE_OPTIONS: `--require ${path.join(__dirname, 'crash.cjs')}`,
    COUNTERSIGN_FAULT: `${point}:${times}`,
  };
}

export type Truth = 'known' | 'unknowable';

/** A shop of its own whose refund can be looked up afterwards, or cannot. The model asks for one refund, then ends. */
export async function openRefund(stack: Stack, truth: Truth): Promise<OrdersWorld> {
  const world = await openOrders({ stack, refundTool: truth === 'known' ? {} : { reconcile: null } });
  world.model.play(({ body }) =>
    body.messages.some((message) => message.role === 'tool')
      ? { text: 'Refunded.' }
      : proposeRefund('call_1', 1, '49.99'),
  );
  return world;
}

export interface RefundEnd {
  readonly run: RunView;
  /** A person was asked whether the refund had been made. */
  readonly asked: boolean;
  readonly story: unknown;
  readonly refunds: number;
  readonly keys: number;
  /** Of the run's events. */
  readonly types: readonly string[];
}

/** Plays the person: signs what is asked for, looks in the shop where nobody knows, until the run has ended. */
export async function playPerson(world: OrdersWorld, runId: string, seconds = 60): Promise<RefundEnd> {
  const { api } = world;
  let asked = false;
  for (;;) {
    const run = await api.waitFor(
      runId,
      ({ status, waitingOn: on }) =>
        FINAL_STATUSES.includes(status) || (on !== null && on.approvals.length + on.outcomes.length > 0),
      seconds,
    );
    if (run.waitingOn === null) return endOf(world, run, asked);
    if (run.waitingOn.approvals.length > 0) await approve(api, runId);
    for (const call of run.waitingOn.outcomes) {
      asked = true;
      const [refund] = world.database.allRefunds();
      const body = refund === undefined ? { happened: false } : { happened: true, output: refund };
      await api.expect(200, api.post(`/v1/runs/${runId}/tool-calls/${call}/outcome`, body));
    }
  }
}

async function endOf(world: OrdersWorld, run: RunView, asked: boolean): Promise<RefundEnd> {
  const calls = await toolCallsOf(world.api, run.id);
  const { ids } = await callOf(world.api, run.id, 'refund_order');
  const sent = world.tools.calls('refund_order').map((request) => request.idempotencyKey);
  return {
    run,
    asked,
    story: {
      status: run.status,
      output: run.output,
      messages: await messagesOf(world.api, run.id),
      calls: calls.map(({ tool, status, arguments: args, result }) => ({ tool, status, args, result })),
      refunds: world.database.allRefunds(),
    },
    refunds: world.database.allRefunds().length,
    keys: new Set([ids.idempotencyKey, ...sent]).size,
    types: (await world.api.events(run.id)).map(({ type }) => type),
  };
}

/** Resolves when the process is gone; rejects where the run ends without it. */
export async function diesBefore(worker: ServerProcess, end: Promise<RefundEnd>): Promise<void> {
  const survived = end.then(({ run, story, types }) => {
    const { status, statusReason } = run;
    const what = JSON.stringify({ status, statusReason, story, types });
    throw new Error(`the run ended, and its worker never came by the fault point: ${what}\n${worker.tail()}`);
  });
  await Promise.race([worker.exited, survived]);
}
