import { createTenant, type TestTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel, withServers } from '../support/definitions.js';
import type { ModelReply } from '../support/model-reply.js';
import { seededRandom } from '../support/random.js';
import { type Stack, withStack } from '../support/stack.js';
import { type BudgetSample, faultsOf, sampleBudgets } from './budget-samples.js';
import { Crew, pause } from './campaign/workers.js';

const CALLS = Number(process.env.COUNTERSIGN_BUDGET_CALLS ?? '300');
const SEED = Number(process.env.COUNTERSIGN_TEST_SEED ?? Date.now() % 1_000_000);
const OPEN_RUNS = 40;
const BUDGETS = ['tenant/total', 'tenant/day', 'agent:one/month', 'subject:a/total', 'subject:b/day'];
const random = seededRandom(SEED);
const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;

/** Random in what it costs, in how long it takes and in whether it comes at all; the model has prices of its own. */
async function reply(index: number): Promise<ModelReply> {
  await pause(random() * 150);
  const usage = {
    prompt_tokens: Math.floor(random() * 1_000),
    completion_tokens: Math.floor(random() * 1_000),
    prompt_tokens_details: { cached_tokens: 0 },
  };
  usage.prompt_tokens_details.cached_tokens = Math.floor(random() * usage.prompt_tokens);
  const chance = random();
  if (chance < 0.5) return { calls: [{ tool: 'look', arguments: { index } }], usage };
  if (chance < 0.7) return { text: 'Done.', usage };
  if (chance < 0.78) return { text: 'Much.', usage: { ...usage, completion_tokens: 5_000 } };
  if (chance < 0.86) return { status: 500, body: '{"error":{"message":"overloaded"}}' };
  if (chance < 0.93) return { pieces: [': a stream that breaks\n\n'], end: 'break' };
  return { text: 'Nobody counted.', usage: null };
}

/** Starts runs until the model was asked often enough; some are cancelled, at any moment. */
async function spend({ api }: TestTenant, calls: () => number): Promise<void> {
  const open = new Set<Promise<unknown>>();
  while (calls() < CALLS) {
    const agent = oneOf(['one', 'two']);
    const { id } = await startRun(api, { agent, subject: { id: oneOf(['a', 'b', 'c']) } });
    const part = Promise.all([follow(api, id), random() < 0.15 && cancelSoon(api, id)]);
    const end = part.finally(() => open.delete(end));
    open.add(end);
    await pause(random() * 40);
    if (open.size >= OPEN_RUNS) await Promise.race(open);
  }
  await Promise.all(open);
}

async function cancelSoon(api: TestTenant['api'], runId: string): Promise<void> {
  await pause(random() * 1_000);
  await api.post(`/v1/runs/${runId}/cancel`, {});
}

async function follow(api: TestTenant['api'], runId: string): Promise<void> {
  for (;;) {
    const { body } = await api.get<{ status: string; finishedAt: string | null }>(`/v1/runs/${runId}?wait=5`);
    // One that waits for money leaves its place to another.
    if (body.finishedAt !== null || body.status === 'waiting') return;
  }
}

/** Changes limits, up and down, and looks at all budgets after each change and again and again in between. */
class Watch {
  samples = 0;
  readonly faults: string[] = [];
  private last: readonly BudgetSample[] = [];

  constructor(
    private readonly stack: Stack,
    private readonly tenant: TestTenant,
  ) {}

  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      await this.look();
      if (random() < 0.2) await this.change();
    }
  }

  async look(): Promise<readonly BudgetSample[]> {
    const next = await sampleBudgets(this.stack.database, this.tenant.tenant.id);
    this.faults.push(...faultsOf(this.last, next));
    this.samples += 1;
    this.last = next;
    return next;
  }

  /** To somewhere around what is spent: often there is room, sometimes for one call alone, sometimes for none. */
  private async change(): Promise<void> {
    const path = random() < 0.5 ? this.tightest() : oneOf(BUDGETS);
    const spent = Number(this.last.find(({ name }) => name === path.replace('/', ' '))?.spent ?? '0');
    const limitUsd = Math.max(0, spent - 0.05 + random() * 0.5).toFixed(6);
    await this.tenant.api.expect(200, this.tenant.api.put(`/v1/budgets/${path}`, { limitUsd }));
  }

  private tightest(): string {
    const room = ({ limit, spent }: BudgetSample) => Number(limit) - Number(spent);
    const [first] = [...this.last].sort((one, other) => room(one) - room(other));
    return first?.name.replace(' ', '/') ?? oneOf(BUDGETS);
  }
}

async function killWorkers(stack: Stack, done: () => boolean): Promise<void> {
  const crew = new Crew(stack, random);
  while (!done()) {
    await pause(600 + random() * 1_200);
    await crew.kill();
  }
}

/** Ends what is still open, and waits for it. */
async function endAll({ database }: Stack, { api, tenant }: TestTenant): Promise<void> {
  for (;;) {
    const open = await database.query<{ id: string }>(
      'SELECT id FROM runs WHERE tenant_id = $1 AND finished_at IS NULL',
      [tenant.id],
    );
    if (open.length === 0) return;
    for (const { id } of open) await api.post(`/v1/runs/${id}/cancel`, {});
    await pause(100);
  }
}

interface Counts {
  readonly calls: number;
  readonly wrong: number;
  readonly failed: number;
  readonly broken: number;
  readonly uncounted: number;
  readonly lost: number;
  readonly cancelled: number;
  readonly exceeded: number;
  readonly waited: number;
}

/** What happened, and how many calls do not cost what their own figures say. */
async function countsOf({ database }: Stack, { tenant }: TestTenant): Promise<Counts> {
  const [counts] = await database.query<Counts>(
    `SELECT count(*)::int AS calls,
       count(*) FILTER (WHERE cost_usd IS DISTINCT FROM CASE
         WHEN http_status >= 400 THEN 0
         WHEN estimated THEN reserved_usd
         ELSE ((input_tokens - cached_input_tokens) * 2.00 + cached_input_tokens * 0.50 + output_tokens * 8.00) / 1000000
       END)::int AS wrong,
       count(*) FILTER (WHERE http_status >= 400)::int AS failed,
       count(*) FILTER (WHERE failure = 'unreadable' OR failure = 'timeout')::int AS broken,
       count(*) FILTER (WHERE estimated AND failure IS NULL)::int AS uncounted,
       count(*) FILTER (WHERE failure = 'worker_lost')::int AS lost,
       (SELECT count(*) FROM runs WHERE tenant_id = $1 AND status = 'cancelled')::int AS cancelled,
       (SELECT count(*) FROM runs WHERE tenant_id = $1 AND reason_code = 'budget_exceeded')::int AS exceeded,
       (SELECT count(*) FROM run_events WHERE tenant_id = $1 AND type = 'run.waiting'
          AND data LIKE '%budget_reserved%')::int AS waited
     FROM model_calls WHERE tenant_id = $1`,
    [tenant.id],
  );
  if (counts === undefined) throw new Error('no counts');
  return counts;
}

test(`${CALLS} model calls against shared budgets, with errors, cancellations, killed workers and limits that move`, async () => {
  const env = { WORKER_LEASE_SECONDS: '1', WORKER_CONCURRENCY: '12' };
  await withStack({ env, workers: 3 }, (stack) =>
    withServers(async ({ model, tools }) => {
      const tenant = await createTenant({}, stack);
      const { api } = tenant;
      const parameters = { type: 'object', properties: { index: { type: 'integer' } } };
      await createTool(api, tools, { name: 'look', effect: 'read', parameters });
      tools.on('look', () => ({ status: 200, body: 'nothing' }));
      for (const name of ['one', 'two']) {
        await createAgent(api, { name, model: testModel(model), tools: ['look'] });
      }
      model.play((_, index) => reply(index));
      const watch = new Watch(stack, tenant);
      let done = false;
      const spending = spend(tenant, () => model.requests.length).finally(() => {
        done = true;
      });
      await Promise.all([spending, watch.until(() => done), killWorkers(stack, () => done)]);
      await endAll(stack, tenant);
      const end = await watch.look();
      const counts = await countsOf(stack, tenant);
      process.stdout.write(`seed ${SEED}, ${watch.samples} samples, ${JSON.stringify(counts)}\n`);

      expect({ seed: SEED, faults: watch.faults, wrong: counts.wrong }).toEqual({
        seed: SEED,
        faults: [],
        wrong: 0,
      });
      expect(end.map(({ reserved }) => Number(reserved))).toEqual(end.map(() => 0));
      // All of it happened, or the test has shown less than it says.
      expect(end.length).toBeGreaterThanOrEqual(3);
      expect(end.some(({ overrun }) => Number(overrun) > 0)).toBe(true);
      for (const count of Object.values({ ...counts, wrong: 1 })) expect(count).toBeGreaterThan(0);
    }),
  );
}, 600_000);
