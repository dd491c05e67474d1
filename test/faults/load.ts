import { createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import type { ModelServer } from '../support/model-server.js';
import type { Stack } from '../support/stack.js';
import type { ToolServer } from '../support/tool-server.js';
import { FINAL_STATUSES } from '../support/wire.js';
import { type RunRecord, type Verdict, verdictOf } from './verdict.js';

export interface LoadOutcome {
  readonly runs: number;
  /** Runs whose record contradicts the tool's ledger, or does not say what became of the effect. */
  readonly lost: number;
  /** Runs whose effect was made more than once. */
  readonly doubled: number;
  /** Runs whose record truly says, after two interrupted tries, that the effect was not made. */
  readonly givenUp: number;
  /** What became of each run that did not complete in time: its status and the reason. */
  readonly stuck: readonly string[];
}

export interface Load {
  /** True once no run is under way any more; it is not known while Postgres is away. */
  ended(): Promise<boolean>;
  /** Waits for the runs to end, and counts. The time only bounds a failure. */
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

  const records = () => recordsOf(stack, tenant.id, tools);
  const ended = async (): Promise<boolean> => {
    const rows = await records().catch(() => null);
    return rows?.every(({ status }) => FINAL_STATUSES.some((final) => final === status)) ?? false;
  };
  return {
    ended,
    outcome: async (seconds = 240) => {
      const giveUpAt = performance.now() + seconds * 1000;
      while (!(await ended()) && performance.now() < giveUpAt) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return outcomeOf(await records());
    },
  };
}

function outcomeOf(records: readonly RunRecord[]): LoadOutcome {
  const count = (wanted: Verdict) => records.filter((record) => verdictOf(record) === wanted).length;
  return {
    runs: records.length,
    lost: count('lost'),
    doubled: count('doubled'),
    givenUp: count('given_up'),
    stuck: records
      .filter(({ status }) => status !== 'completed')
      .map(({ status, reason }) => `${status} ${reason ?? ''}`.trim()),
  };
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly call: string | null;
  readonly error: string | null;
  readonly tries: number;
}

/** Each run of the tenant, by the record and by the tool's ledger. The model asks for the effect once in each. */
async function recordsOf(stack: Stack, tenant: string, tools: ToolServer): Promise<RunRecord[]> {
  const rows = await stack.database.query<Row>(
    `SELECT run.id, run.status, run.reason_code AS reason, call.status AS call, call.error,
            (SELECT count(*)::int FROM run_events AS event
             WHERE event.run_id = run.id AND event.type = 'tool.started') AS tries
     FROM runs AS run LEFT JOIN tool_calls AS call ON call.run_id = run.id
     WHERE run.tenant_id = $1`,
    [tenant],
  );
  const keys = new Map<string, Set<string>>();
  for (const { body, idempotencyKey } of tools.calls('send')) {
    const known = keys.get(body.context.runId) ?? new Set();
    keys.set(body.context.runId, known.add(idempotencyKey ?? ''));
  }
  return rows.map(({ id, error, ...row }) => ({
    ...row,
    code: error === null ? null : (JSON.parse(error) as { code: string }).code,
    made: [...(keys.get(id) ?? [])].reduce((sum, key) => sum + (tools.effects.get(key) ?? 0), 0),
  }));
}

/**
 * What becomes of runs that nothing can hurt. With `givenUp` the record of so many says that their effect was not made:
 * what two interrupted tries may come to.
 */
export function unhurt(runs: number, givenUp = 0): LoadOutcome {
  return { runs, lost: 0, doubled: 0, givenUp, stuck: [] };
}
