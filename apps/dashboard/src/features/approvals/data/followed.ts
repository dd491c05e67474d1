import type { Approval, ToolCall } from '@countersign/contracts';
import { request } from '../../../api/request';
import type { Page } from '../../../api/use-read';
import { hasEnded } from '../wording/came-of-it';
import { toolCallsPath } from './paths';

/** An approval that this person signed, until its call has ended. */
export interface Followed {
  readonly id: string;
  /** The tenant's slug. */
  readonly tenant: string | null;
  readonly runId: string;
  readonly toolCallId: string;
  /** What it was to do, in a sentence. */
  readonly summary: string;
}

/** Beside the components, as toasts are: whoever signs and goes to another page still hears of it. */
const followed = new Map<string, Followed>();

/** From now on, until its call has ended. */
export function follow({ id, runId, toolCallId }: Approval, summary: string, tenant: string | null): void {
  followed.set(id, { id, tenant, runId, toolCallId, summary });
}

/** No more: it was taken back. */
export function forget(id: string): void {
  followed.delete(id);
}

/** Whether the call of a signed approval belongs to the run. */
export function isFollowed(runId: string): boolean {
  return [...followed.values()].some((one) => one.runId === runId);
}

/** What has ended since it was last asked, each handed out once. What cannot be read stays for the next time. */
export async function takeEnded(tenant: string | null): Promise<readonly (readonly [Followed, ToolCall])[]> {
  const ended: (readonly [Followed, ToolCall])[] = [];
  const mine = [...followed.values()].filter((one) => one.tenant === tenant);
  for (const runId of new Set(mine.map((one) => one.runId))) {
    const calls = await callsOf(tenant, runId).catch(() => []);
    for (const one of mine) {
      const call = calls.find(({ id }) => id === one.toolCallId);
      // Two looks may be under way: only the one that takes it out hands it on.
      if (one.runId === runId && call !== undefined && hasEnded(call) && followed.delete(one.id)) {
        ended.push([one, call]);
      }
    }
  }
  return ended;
}

async function callsOf(tenant: string | null, runId: string): Promise<readonly ToolCall[]> {
  const calls: ToolCall[] = [];
  let after: string | null = null;
  do {
    const page: Page<ToolCall> = await request<Page<ToolCall>>(toolCallsPath(runId), {
      tenant,
      query: { limit: 100, after },
    });
    calls.push(...page.data);
    after = page.nextCursor;
  } while (after !== null);
  return calls;
}
