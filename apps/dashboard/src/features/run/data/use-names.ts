'use client';

import type { Approval } from '@countersign/contracts';
import { useEffect, useMemo } from 'react';
import { type Page, useRead } from '../../../api/use-read';
import { useSession } from '../../../frame/session';
import type { Actor } from '../story/happening';
import type { Story } from '../story/story';

/** What somebody is called. */
export type NameOf = (actor: Actor) => string;

/** The names of who decided in a run: events hold ids alone, approvals the names as of now. */
export function useNames(runId: string, { calls }: Story): NameOf {
  const { actor: me, can } = useSession();
  const decided = [...calls.values()].reduce(
    (sum, call) => sum + call.approvals.reduce((all, approval) => all + approval.decisions.length, 0),
    0,
  );
  const enabled = decided > 0 && can('approvals:read');
  const approvals = useRead<Page<Approval>>('/v1/approvals', { runId, limit: 100 }, { enabled });
  const { refetch } = approvals;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another decision may be another person's
  useEffect(() => {
    if (enabled) {
      void refetch();
    }
  }, [decided]);
  return useMemo(() => {
    const decisions = (approvals.data?.data ?? []).flatMap((approval) => approval.decisions);
    const names = new Map(decisions.map(({ by, name }) => [by.id, name]));
    return ({ type, id }) =>
      id === me.id ? 'You' : (names.get(id) ?? (type === 'key' ? 'The app' : 'A member'));
  }, [approvals.data, me.id]);
}
