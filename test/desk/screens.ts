import type { Page, Route } from 'playwright-core';
import { approvalOf, callOf, decide, endOf } from '../support/runs.js';
import type { Desk } from './desk-world.js';

/** One view in one state: who looks, where, and what they do until it is to be seen. */
export interface Screen {
  readonly name: string;
  readonly role: 'viewer' | 'reviewer' | 'admin' | 'nobody';
  readonly path: (world: ScreensWorld) => string;
  /** Before the page is opened: requests that hang or fail. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** Until what the screen is about can be seen. */
  readonly until: (page: Page) => Promise<unknown>;
}

/** Ids of what the screens show. */
export interface ScreensWorld {
  readonly pending: string;
  readonly rejected: string;
  readonly runDone: string;
  readonly runWaiting: string;
  readonly runFailed: string;
}

/** A shop with a queue of refunds, one rejected, one whose outcome nobody knows, and runs that have ended. */
export async function furnish(desk: Desk): Promise<ScreensWorld> {
  const ask = async (customerId: string, total: string, words: string) => {
    const { orderId } = desk.database.place({ customerId, total, date: '2026-10-22' });
    const run = await desk.start(`${words} Please refund order ${orderId}.`, {
      subject: { id: customerId },
      operationId: `refund of order ${orderId}`,
    });
    return approvalOf(desk.api, run.id);
  };
  const done = await desk.start('Which of my orders were refunded since October 1st?', {
    operationId: 'a question about refunds',
  });
  await desk.api.waitFor(done.id, ({ status }) => status === 'completed');
  desk.model.play([{ calls: [{ tool: 'search_orders', arguments: { since: '2026-09-01' } }] }]);
  const failed = await desk.start('Where is my order?', { agent: 'played' });
  await endOf(desk.api, failed.id, 'failed');
  const rejected = await ask('C-3001', '310.00', 'I no longer want the chairs.');
  await decide(desk.api, rejected, { decision: 'reject', message: 'The chairs were used for two years.' });
  const lost = await ask('C-3002', '25.00', 'The mug is chipped.');
  desk.tools.on('refund_order', () => ({ hang: new Promise<never>(() => {}) }));
  await decide(desk.api, lost, { decision: 'approve' });
  await desk.api.waitFor(lost.runId, ({ waitingOn }) => (waitingOn?.outcomes.length ?? 0) > 0);
  const waits = [
    await ask(
      'C-3003',
      '129.00',
      'The screen came with a crack from corner to corner, and the box was open.',
    ),
    await ask('C-3004', '49.99', 'Wrong size, twice.'),
    await ask('C-3005', '18.50', 'It never arrived, and the parcel service says it did.'),
  ];
  await callOf(desk.api, waits[0]?.runId ?? '', 'refund_order');
  return {
    pending: waits[0]?.id ?? '',
    rejected: rejected.id,
    runDone: done.id,
    runWaiting: waits[0]?.runId ?? '',
    runFailed: failed.id,
  };
}

const fail = (route: Route): Promise<void> =>
  route.fulfill({
    status: 503,
    contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'Postgres does not answer.',
      code: 'unavailable',
      requestId: 'req_000000000000000000000000',
    }),
  });
const failing = (list: string) => (page: Page) => page.route(listOf(list), fail);
/** The requests are never answered: the page is seen while it loads. */
const hanging = (list: string) => (page: Page) => page.route(listOf(list), () => undefined);
const listOf = (list: string): RegExp => new RegExp(`/v1/${list}(\\?|$)`);

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).waitFor();
const status = (name: RegExp) => (page: Page) => page.getByRole('status', { name }).first().waitFor();
const words = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();

const approvals = (open: keyof ScreensWorld) => (world: ScreensWorld) => `/approvals?open=${world[open]}`;
const cardIsOpen = heading(/^Refund \$129\.00/);

/** What is looked at, in every width and theme. */
export const SCREENS: readonly Screen[] = [
  { name: 'sign-in', role: 'nobody', path: () => '/sign-in', until: heading(/sign in/i) },
  { name: 'approvals-card', role: 'reviewer', path: approvals('pending'), until: cardIsOpen },
  {
    name: 'approvals-edit',
    role: 'reviewer',
    path: approvals('pending'),
    until: async (page) => {
      await cardIsOpen(page);
      await page.keyboard.press('e');
      await page.getByRole('button', { name: /approve as edited/i }).waitFor();
    },
  },
  {
    name: 'approvals-reject',
    role: 'reviewer',
    path: approvals('pending'),
    until: async (page) => {
      await cardIsOpen(page);
      await page.keyboard.press('r');
      await page.getByRole('textbox').first().waitFor();
    },
  },
  {
    name: 'approvals-rejected',
    role: 'reviewer',
    path: approvals('rejected'),
    until: heading(/^Refund \$310\.00/),
  },
  { name: 'approvals-viewer', role: 'viewer', path: approvals('pending'), until: cardIsOpen },
  {
    name: 'approvals-unknown',
    role: 'reviewer',
    path: () => '/approvals',
    until: async (page) => {
      await page.getByText('Did it happen?').first().click();
      await page.getByRole('button', { name: /it happened/i }).waitFor();
    },
  },
  {
    name: 'approvals-empty',
    role: 'reviewer',
    path: () => '/approvals?tool=no_such_tool',
    until: async (page) => {
      await page
        .getByRole('heading', { name: /nothing/i })
        .first()
        .waitFor();
    },
  },
  {
    name: 'approvals-loading',
    role: 'reviewer',
    path: () => '/approvals',
    before: hanging('approvals'),
    until: status(/loading/i),
  },
  {
    name: 'approvals-error',
    role: 'reviewer',
    path: () => '/approvals',
    before: failing('approvals'),
    until: words('Postgres does not answer.'),
  },
  { name: 'runs', role: 'viewer', path: () => '/runs', until: words('a question about refunds') },
  {
    name: 'runs-empty',
    role: 'viewer',
    path: () => '/runs?q=nothing+of+that+name',
    until: heading('No run matches'),
  },
  {
    name: 'runs-loading',
    role: 'viewer',
    path: () => '/runs',
    before: hanging('runs'),
    until: status(/loading/i),
  },
  {
    name: 'runs-error',
    role: 'viewer',
    path: () => '/runs',
    before: failing('runs'),
    until: words('Postgres does not answer.'),
  },
  {
    name: 'run-conversation',
    role: 'viewer',
    path: ({ runDone }) => `/runs/${runDone}`,
    until: words('Refunded since October 1st: order 3'),
  },
  {
    name: 'run-timeline',
    role: 'viewer',
    path: ({ runWaiting }) => `/runs/${runWaiting}?tab=timeline`,
    until: words('search_orders'),
  },
  {
    name: 'run-span',
    role: 'viewer',
    path: ({ runDone }) => `/runs/${runDone}?tab=timeline`,
    until: async (page) => {
      await page.getByText('search_orders').first().click();
      await words('Arguments')(page);
    },
  },
  {
    name: 'run-failed',
    role: 'viewer',
    path: ({ runFailed }) => `/runs/${runFailed}`,
    until: async (page) => {
      await page.getByRole('button', { name: 'Show where' }).click();
      await words('What was sent')(page);
    },
  },
  {
    name: 'run-events',
    role: 'viewer',
    path: ({ runDone }) => `/runs/${runDone}?tab=events`,
    until: words('run.finished'),
  },
  {
    name: 'run-not-found',
    role: 'viewer',
    path: () => '/runs/run_00000000000000000000000000',
    until: heading(/no such run|not found/i),
  },
  {
    name: 'metrics',
    role: 'viewer',
    path: () => '/metrics',
    until: async (page) => {
      await page.getByRole('table', { name: 'Agent', exact: true }).waitFor();
      await page.getByRole('table', { name: 'By the rule that asked' }).waitFor();
    },
  },
  {
    name: 'metrics-error',
    role: 'viewer',
    path: () => '/metrics',
    before: failing('metrics/cost'),
    until: words('Postgres does not answer.'),
  },
  { name: 'members', role: 'admin', path: () => '/members', until: words(/@people\.test/) },
  { name: 'members-no-permission', role: 'viewer', path: () => '/members', until: words(/admin/i) },
];
