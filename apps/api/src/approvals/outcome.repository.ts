import type { Effect, Run, ToolCall } from '../platform/generated/client.js';
import type { PageRequest } from '../platform/page.js';
import type { Transact } from '../platform/transaction.js';

/** An effect whose outcome nobody knows, with its call and its run's subject. */
export interface UnknownOutcome {
  readonly effect: Effect;
  readonly call: ToolCall;
  readonly run: Pick<Run, 'subject'>;
}

/** Reads of effects in doubt, whether a run waits for them or has ended. */
export class OutcomeRepository {
  constructor(private readonly transact: Transact) {}

  /** Newest first. */
  pending(tenant: string, { after, rows }: PageRequest): Promise<readonly UnknownOutcome[]> {
    return this.transact(tenant, async (tx) => {
      const effects = await tx.effect.findMany({
        where: { tenantId: tenant, state: 'unknown', ...(after === null ? {} : { id: { lt: after } }) },
        orderBy: { id: 'desc' },
        take: rows,
      });
      const runIds = [...new Set(effects.map(({ runId }) => runId))];
      const runs = await tx.run.findMany({
        where: { tenantId: tenant, id: { in: runIds } },
        select: { id: true, subject: true },
      });
      const calls = await tx.toolCall.findMany({
        where: {
          tenantId: tenant,
          runId: { in: runIds },
          id: { in: effects.map(({ toolCallId }) => toolCallId) },
        },
      });
      return effects.flatMap((effect) => {
        const call = calls.find(({ id }) => id === effect.toolCallId);
        const run = runs.find(({ id }) => id === effect.runId);
        return call === undefined || run === undefined ? [] : [{ effect, call, run }];
      });
    });
  }
}
