'use client';

import type { ApprovalPreview } from '@countersign/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTenantSlug } from '../../../api/api-provider';
import { parseExactly } from '../../../api/exact-json';
import type { ApiProblem } from '../../../api/problem';
import { request } from '../../../api/request';
import { approvalPath } from './paths';

/** How long typing must rest before the API is asked, in milliseconds. */
const REST_MS = 250;

export type Preview =
  | { readonly type: 'none' }
  | { readonly type: 'asking' }
  | { readonly type: 'failed'; readonly detail: string }
  | { readonly type: 'answer'; readonly preview: ApprovalPreview };

/** What would become of the approval with these arguments (JSON text; null: there is nothing to ask). */
export function usePreview(id: string, editedArguments: string | null): Preview {
  const tenant = useTenantSlug();
  const rested = useRested(editedArguments);
  const path = `${approvalPath(id)}/preview`;
  const asked = useQuery<ApprovalPreview, ApiProblem>({
    queryKey: [tenant, path, rested],
    queryFn: ({ signal }) =>
      request<ApprovalPreview>(path, {
        method: 'POST',
        tenant,
        signal,
        body: { editedArguments: parseExactly(rested ?? '{}') },
      }),
    enabled: rested !== null,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (editedArguments === null) return { type: 'none' };
  if (rested !== editedArguments || asked.isPending) return { type: 'asking' };
  return asked.isError
    ? { type: 'failed', detail: asked.error.detail }
    : { type: 'answer', preview: asked.data };
}

function useRested(text: string | null): string | null {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
