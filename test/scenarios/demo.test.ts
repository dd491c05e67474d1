import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { demoTenants } from '@countersign/examples';
import { Api } from '../support/client.js';
import { meOf } from '../support/people.js';
import { approvalOf, decide, endOf } from '../support/runs.js';
import { freePort, startServerProcess } from '../support/server-process.js';
import { type Stack, startStack } from '../support/stack.js';
import type { ApprovalView, EventView, OutcomeView, Page, RunView } from '../support/wire.js';

const API = 'apps/api/dist/main.js';
const SEED = path.resolve(__dirname, '../../apps/api/dist/seed.js');
const [ORDERS_SHOP, NORTHWIND] = demoTenants('http://127.0.0.1:1');

/** What the seed prints, as the launcher reads it. */
interface SeedAnswer {
  readonly apiKey: string;
  readonly signIns: readonly { readonly email: string; readonly password: string; readonly role: string }[];
}

interface ShopFile {
  readonly refunds: readonly (readonly [string, { readonly orderId: number; readonly amount: string }])[];
}

describe('the demo that a first start makes', () => {
  let stack: Stack;
  let api: Api;
  let made: SeedAnswer;
  let ending: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    stack = await startStack();
    made = JSON.parse(await seed()) as SeedAnswer;
    // The API that opens the shop starts the demo's runs when it starts, and decides on them.
    await stack.api.kill();
    const port = await freePort();
    const environment = { ...stack.environment, API_PORT: String(port) };
    const second = await startServerProcess({ name: 'api', args: [API], port, environment });
    ending = () => second.kill();
    api = new Api(second.url, made.apiKey, [second.logFile, ...stack.logFiles]);
  }, 180_000);
  afterAll(async () => {
    await ending();
    await stack.stop();
  });

  const seed = async (more: Record<string, string> = {}): Promise<string> => {
    const env = { PATH: process.env.PATH, ...stack.environment, ...more };
    return (await promisify(execFile)(process.execPath, [SEED], { env })).stdout;
  };
  const allRuns = () => api.all<RunView>('/v1/runs');
  const runOf = async (operationId: string): Promise<RunView> => {
    const page = await api.get<Page<RunView>>(`/v1/runs?operationId=${operationId}`);
    const [run] = page.body.data;
    if (run !== undefined) return run;
    // The API starts the demo's runs one after another, once it is ready.
    await new Promise((resolve) => setTimeout(resolve, 20));
    return runOf(operationId);
  };
  const inbox = () => api.all<ApprovalView>('/v1/approvals?status=pending&order=expiring');
  const refundsOf = (orderId: number): number => {
    const file = path.join(stack.environment.COUNTERSIGN_DATA_DIR ?? '', 'demo-shop.json');
    const { refunds } = JSON.parse(readFileSync(file, 'utf8')) as ShopFile;
    return refunds.filter(([, refund]) => refund.orderId === orderId).length;
  };
  /** What the dashboard posts to run something again: what the run's first event and the run itself say. */
  const again = async (run: RunView): Promise<RunView> => {
    const page = await api.get<Page<EventView>>(`/v1/runs/${run.id}/events?limit=1`);
    const { input, limits } = (page.body.data[0]?.data ?? {}) as { input: unknown; limits: object };
    const set = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null));
    const { subject, metadata } = run;
    return api.expect(
      202,
      api.post<RunView>('/v1/runs', { agent: run.agent.name, input, limits: set, subject, metadata }),
    );
  };

  test('everybody whom the demo names signs in, as what they are; a second seed makes nobody', async () => {
    const places: Record<string, unknown> = {};
    for (const { email, password } of made.signIns) {
      const { operator, tenants } = await meOf(await api.signIn(email, password));
      places[email] = operator ? 'operator' : tenants.map(({ slug, role }) => `${role} of ${slug}`).join();
    }
    expect(places).toEqual({
      'admin@demo.test': 'admin of demo',
      'reviewer@demo.test': 'reviewer of demo',
      'second@demo.test': 'reviewer of demo',
      'viewer@demo.test': 'viewer of demo',
      'operator@demo.test': 'operator of demo',
      'admin@northwind.test': 'admin of northwind',
      'platform@demo.test': 'operator',
    });
    expect(new Set(made.signIns.map(({ password }) => password)).size).toBe(made.signIns.length);
    expect(await seed()).toBe('');
    expect(await api.all('/v1/members')).toHaveLength(5);
  });

  test.each([
    ['a refund that was approved', 'OS-48211', 'completed', null],
    ['one that was approved with a smaller amount', 'OS-48213', 'completed', null],
    ['one that was rejected', 'OS-48215', 'completed', null],
    ['one that nobody decided on', 'OS-48216', 'completed', null],
    ['one that was cancelled', 'OS-48217', 'cancelled', null],
    ['one that policy denies', 'OS-48218', 'completed', null],
    ['credit for somebody else', 'OS-48220', 'completed', null],
    ['a question', 'OS-48221', 'completed', null],
    ['the question of the scenario', 'OS-48223', 'completed', null],
    ['what the model refuses', 'OS-48224', 'refused', null],
    ['a reply that was cut off', 'OS-48225', 'incomplete', 'max_tokens'],
    ['a model that never stops', 'OS-48226', 'failed', 'turn_limit'],
    ['a request that the provider refuses', 'OS-48227', 'failed', 'model_error'],
    ['a budget that is too small', 'OS-48228', 'failed', 'budget_exceeded'],
    ['a reply that takes too long', 'OS-48229', 'failed', 'deadline_exceeded'],
  ] as const)('%s ends as it should', async (_name, operationId, status, code) => {
    const { id } = await runOf(operationId);
    const run = await endOf(api, id, status);
    expect(run.statusReason?.code ?? null).toBe(code);
  });

  test.each([
    ['of a person', 'OS-48215', 'approval_rejected'],
    ['of the clock', 'OS-48216', 'approval_expired'],
    ['of policy', 'OS-48218', 'policy_denied'],
    ['of what the subject may have', 'OS-48220', 'out_of_scope'],
  ])('a call that is denied says why: because %s', async (_name, operationId, code) => {
    const { id } = await runOf(operationId);
    await endOf(api, id, 'completed');
    const calls = await api.all<{ error?: { code: string } }>(`/v1/runs/${id}/tool-calls`);
    expect(calls.at(-1)?.error?.code).toBe(code);
  });

  test('what waits for a person waits: ten approvals that expire one after another, and one unknown outcome', async () => {
    for (const { body, next } of ORDERS_SHOP?.runs ?? []) {
      if (
        next === null &&
        body.limits?.approvalTtlSeconds !== undefined &&
        body.limits.approvalTtlSeconds > 60
      ) {
        await approvalOf(api, (await runOf(body.operationId)).id);
      }
    }
    const waiting = await inbox();
    expect(waiting).toHaveLength(10);
    expect(new Set(waiting.map(({ expiresAt }) => expiresAt)).size).toBe(10);
    expect(new Set(waiting.map(({ tool }) => tool))).toEqual(new Set(['refund_order', 'send_credit']));
    const inDoubt = await runOf('OS-48219');
    await api.waitFor(inDoubt.id, ({ waitingOn }) => (waitingOn?.outcomes.length ?? 0) > 0);
    const outcomes = await api.get<Page<OutcomeView>>('/v1/outcomes');
    expect(outcomes.body.data).toMatchObject([{ runId: inDoubt.id, tool: 'send_credit' }]);
  });

  test('decisions bear a name, and an edit what ran instead', async () => {
    const { id } = await runOf('OS-48213');
    await endOf(api, id, 'completed');
    const [approval] = await api.all<ApprovalView>(`/v1/approvals?runId=${id}`);
    expect(approval).toMatchObject({
      status: 'approved',
      arguments: { amount: '49.00' },
      decisions: [{ name: 'Rita Reviewer', decision: 'approve' }],
    });
  });

  test('who signs a refund of the inbox has it made once; run again, a fresh order waits for a signature', async () => {
    const run = await runOf('OS-48201');
    const approval = await approvalOf(api, run.id);
    const { orderId } = approval.arguments as { orderId: number };
    await api.expect(200, decide(api, approval, { decision: 'approve' }));
    expect((await endOf(api, run.id, 'completed')).output).toContain('refunded $89.00');
    expect(refundsOf(orderId)).toBe(1);
    const next = await approvalOf(api, (await again(run)).id);
    expect(next.arguments).toMatchObject({ amount: '89.00', orderId: expect.any(Number) });
    expect((next.arguments as { orderId: number }).orderId).not.toBe(orderId);
  });

  test('of two requests for one order the second ends in intent_already_done', async () => {
    const [first, second] = [await runOf('OS-48207'), await runOf('OS-48208')];
    const [one, other] = [await approvalOf(api, first.id), await approvalOf(api, second.id)];
    await api.expect(200, decide(api, one, { decision: 'approve' }));
    await endOf(api, first.id, 'completed');
    await api.expect(200, decide(api, other, { decision: 'approve' }));
    await endOf(api, second.id, 'completed');
    const calls = await api.all<{ error?: { code: string } }>(`/v1/runs/${second.id}/tool-calls`);
    expect(calls.at(-1)?.error?.code).toBe('intent_already_done');
    expect(refundsOf((one.arguments as { orderId: number }).orderId)).toBe(1);
  });

  test('the second tenant has runs of its own, which the first does not see', async () => {
    const ours = await allRuns();
    expect(ours.filter(({ agent }) => agent.name === 'bookings')).toEqual([]);
    const theirs = await stack.database.query<{ operation_id: string }>(
      `SELECT operation_id FROM runs AS r JOIN tenants AS t ON t.id = r.tenant_id
        WHERE t.slug = 'northwind' ORDER BY operation_id`,
      [],
    );
    expect(theirs.map((row) => row.operation_id)).toEqual(
      NORTHWIND?.runs.map(({ body }) => body.operationId).sort(),
    );
  });

  describe('a later start', () => {
    /** Each takes a process of its own, which takes its time on a machine that has much to do. */
    const MOST_MS = 180_000;
    const desk = async () => {
      const { body } = await api.get<{ version: number; model: { provider: string } }>('/v1/agents/orders');
      return [body.version, body.model.provider];
    };

    test(
      'with a key of a provider makes a version of the desk that speaks to it, and nothing twice',
      async () => {
        const before = (await allRuns()).length;
        expect(await desk()).toEqual([1, 'scripted']);
        expect(await seed({ OPENAI_API_KEY: 'sk-test' })).toBe('');
        expect(await desk()).toEqual([2, 'openai']);
        expect(await allRuns()).toHaveLength(before);
      },
      MOST_MS,
    );

    test(
      'without the key goes back to the script, and then leaves it',
      async () => {
        await seed();
        expect(await desk()).toEqual([3, 'scripted']);
        await seed();
        expect(await desk()).toEqual([3, 'scripted']);
      },
      MOST_MS,
    );

    test(
      'leaves a desk alone that somebody has changed',
      async () => {
        const { body } = await api.get<{ tools: string[]; model: object }>('/v1/agents/orders');
        const { model, tools } = body;
        await api.expect(200, api.put('/v1/agents/orders', { instructions: 'Mine.', model, tools }));
        await seed({ OPENAI_API_KEY: 'sk-test' });
        expect(await desk()).toEqual([4, 'scripted']);
      },
      MOST_MS,
    );
  });
});
