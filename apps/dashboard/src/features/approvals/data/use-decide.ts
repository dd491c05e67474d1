'use client';

import type { Approval } from '@countersign/contracts';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTenantSlug } from '../../../api/api-provider';
import { ApiProblem } from '../../../api/problem';
import { request } from '../../../api/request';
import { type Page, useRefresh } from '../../../api/use-read';
import { useSession } from '../../../frame/session';
import { explainRefusal, type Refusal } from '../wording/refusal';
import { APPROVALS, approvalPath } from './paths';

/** What a person decides. A rejection takes no edit, and cannot be undone. */
export type Decision =
  | {
      readonly decision: 'approve';
      readonly message: string;
      readonly editedArguments?: unknown;
      readonly holdSeconds: number;
    }
  | { readonly decision: 'reject'; readonly message: string };

export type Answer =
  | { readonly type: 'taken'; readonly approval: Approval }
  | {
      readonly type: 'refused';
      readonly refusal: Refusal;
      /** About places of the edited arguments. */
      readonly errors: ApiProblem['errors'];
    };

interface Deciding {
  /** Decides on exactly the arguments that `shown` has. Never throws. */
  readonly decide: (shown: Approval, decision: Decision) => Promise<Answer>;
  /** Takes an approval back. Never throws. */
  readonly undo: (id: string) => Promise<Answer>;
}

/** Sends decisions, and shows at once what came of them. */
export function useDecide(): Deciding {
  const tenant = useTenantSlug();
  const client = useQueryClient();
  const refresh = useRefresh();
  const selfId = useSession().actor.id;

  const show = useCallback(
    (approval: Approval) => {
      client.setQueryData([tenant, approvalPath(approval.id), {}], approval);
      client.setQueriesData<InfiniteData<Page<Approval>>>(
        { predicate: ({ queryKey: [owner, path] }) => owner === tenant && path === APPROVALS },
        (list) => list && withApproval(list, approval),
      );
    },
    [client, tenant],
  );

  return useMemo<Deciding>(() => {
    const post = async (id: string, verb: 'decision' | 'undo', body: object): Promise<Answer> => {
      const path = approvalPath(id);
      try {
        const approval = await request<Approval>(`${path}/${verb}`, { method: 'POST', tenant, body });
        show(approval);
        return { type: 'taken', approval };
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        const now = await request<Approval>(path, { tenant }).catch(() => null);
        if (now !== null) show(now);
        return { type: 'refused', refusal: explainRefusal(error, now, selfId), errors: error.errors };
      } finally {
        void refresh(APPROVALS);
      }
    };
    return {
      decide: ({ id, argumentsDigest }, { message, ...decision }) =>
        post(id, 'decision', { ...decision, argumentsDigest, ...(message === '' ? {} : { message }) }),
      undo: (id) => post(id, 'undo', {}),
    };
  }, [tenant, selfId, show, refresh]);
}

function withApproval(list: InfiniteData<Page<Approval>>, approval: Approval): InfiniteData<Page<Approval>> {
  const pages = list.pages.map((page) => ({
    ...page,
    data: page.data.map((row) => (row.id === approval.id ? approval : row)),
  }));
  return { ...list, pages };
}
