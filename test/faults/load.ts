import { createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import type { ModelServer } from '../support/model-server.js';
import type { Stack } from '../support/stack.js';
import type { ToolServer } from '../support/tool-server.js';

export interface LoadOutcome {
  readonly runs: number;
  /** Runs whose effect was never made. */
  readonly lost: number;
  /** Effects beyond one of a run. */
  readonly doubled: number;
  /** What became of each run that did not complete in time: its status and the reason. */
  readonly stuck: readonly string[];
}

export interface Load {
  /** True once no run is under way any more; it is not known while Postgres is away. */
  ended(): Promise<boolean>;
  /** Waits for the runs to end, and counts. */
  outcome(seconds?: number): Promise<LoadOutcome>;
}

/** Starts runs that each send one effect which must never be sent twice, and that the tool can look up afterwards. */
export async function startLoad(
  stack: Stack,
  { tools, model }: { readonly tools: ToolServer; readonly model: ModelServer },
  count: number,
): Promise<Load> {
  const { api, tenant } = await createTenant({}, stack);
  const rules = [{ tool: '*', action: 'allow' }];
  await api.expect(200, api.put('/v1/policy', { rules }));
  const reconcile = { url: tools.urlOf('send', 'reconcile') };
  await createTool(api, tools, { name: 'send', effect: 'once', reconcile });
  await createAgent(api, { model: testModel(model), tools: ['send'] });
  tools.on('send', (request) => {
    tools.apply(request, 'sent');
    return { status: 200, body: 'sent' };
  });
  model.play(({ body }) =>
    body.messages.some((message) => message.role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ id: 'call_1', tool: 'send', arguments: {} }] },
  );
  for (let index = 0; index < count; index += 1) await startRun(api);

  const notCompleted = () =>
    stack.database.query<{ status: string; code: string | null }>(
      `SELECT status, reason_code AS code FROM runs WHERE tenant_id = $1 AND status <> 'completed'`,
      [tenant.id],
    );
  const ended = async (): Promise<boolean> => {
    const rows = await notCompleted().catch(() => null);
    return (
      rows?.every(({ status }) => ['failed', 'cancelled', 'incomplete', 'refused'].includes(status)) ?? false
    );
  };
  return {
    ended,
    outcome: async (seconds = 60) => {
      const giveUpAt = performance.now() + seconds * 1000;
      while (!(await ended()) && performance.now() < giveUpAt) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const stuck = (await notCompleted()).map(({ status, code }) => `${status} ${code ?? ''}`.trim());
      const times = [...tools.effects.values()];
      const effects = times.reduce((sum, each) => sum + each, 0);
      return {
        runs: count,
        lost: Math.max(0, count - times.length),
        doubled: effects - Math.min(count, times.length),
        stuck,
      };
    },
  };
}

/** What becomes of runs that nothing can hurt. */
export function unhurt(runs: number): LoadOutcome {
  return { runs, lost: 0, doubled: 0, stuck: [] };
}
