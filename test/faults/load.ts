import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import type { ModelServer } from '../support/model-server.js';
import type { Stack } from '../support/stack.js';
import type { ToolServer } from '../support/tool-server.js';
import { FINAL_STATUSES } from '../support/wire.js';
import { startPerson } from './person.js';
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

/** What a run of a load does: one effect of this tool. */
interface Kind {
  readonly tool: string;
  /** A person must sign it. */
  readonly signed: boolean;
  /** The tool can say afterwards whether it happened; else a person is asked. */
  readonly reconcile: boolean;
}

const LOADS = {
  /** Nobody needs to be there. */
  unattended: [{ tool: 'send', signed: false, reconcile: true }],
  /** A person signs, and looks where the tool cannot be asked. */
  attended: [
    { tool: 'send', signed: true, reconcile: true },
    { tool: 'post', signed: true, reconcile: false },
    { tool: 'file', signed: false, reconcile: true },
  ],
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

/** Starts runs that each make one effect which must never be made twice. */
export async function startLoad(
  stack: Stack,
  { tools, model }: { readonly tools: ToolServer; readonly model: ModelServer },
  count: number,
  sort: keyof typeof LOADS = 'unattended',
): Promise<Load> {
  const { api, tenant } = await createTenant({}, stack);
  const kinds: readonly Kind[] = LOADS[sort];
  const rules = kinds.map(({ tool, signed }) => ({ tool, action: signed ? 'require_approval' : 'allow' }));
  await api.expect(200, api.put('/v1/policy', { rules }));
  for (const kind of kinds) await createKind(api, tools, kind);
  await createAgent(api, { model: testModel(model), tools: kinds.map(({ tool }) => tool) });
  model.play(({ body }) => {
    if (body.messages.some(({ role }) => role === 'tool')) return { text: 'Done.' };
    const tool = String(body.messages.find(({ role }) => role === 'user')?.content);
    return { calls: [{ id: 'call_1', tool, arguments: {} }] };
  });
  for (let index = 0; index < count; index += 1) {
    await startRun(api, { input: kinds[index % kinds.length]?.tool });
  }
  const person = sort === 'attended' ? startPerson(api, tools) : null;

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
      await person?.stop();
      return outcomeOf(await records());
    },
  };
}

async function createKind(api: Api, tools: ToolServer, { tool, reconcile }: Kind): Promise<void> {
  const asked = reconcile ? { reconcile: { url: tools.urlOf(tool, 'reconcile') } } : {};
  await createTool(api, tools, { name: tool, effect: 'once', ...asked });
  tools.on(tool, (request) => {
    tools.apply(request, 'done');
    return { status: 200, body: 'done' };
  });
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
  for (const { purpose, body, idempotencyKey } of tools.requests) {
    if (purpose !== 'call') continue;
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
