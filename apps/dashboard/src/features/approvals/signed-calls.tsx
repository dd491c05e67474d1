'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect } from 'react';
import { useTenantSlug } from '../../api/api-provider';
import { LIVE_REFETCH_MS, useSoonAfterMoves } from '../../api/live-provider';
import { useHref } from '../../frame/go';
import { toast } from '../../kit/toast';
import { isFollowed, takeEnded } from './data/followed';
import { whatWentWrong } from './wording/came-of-it';

/** Tells whoever signed, on whichever page they are by then, of a call that did not do what they approved. */
export function SignedCalls() {
  const tenant = useTenantSlug();
  const router = useRouter();
  const href = useHref();
  const look = useCallback(async () => {
    for (const [{ id, summary }, call] of await takeEnded(tenant)) {
      const wrong = whatWentWrong(summary, call);
      if (wrong !== null) {
        const run = () => router.push(href(`/approvals?open=${id}`));
        toast(wrong, { tone: 'problem', action: { label: 'Open', run } });
      }
    }
  }, [tenant, router, href]);
  useSoonAfterMoves(
    () => void look(),
    ({ runId }) => isFollowed(runId),
  );
  useEffect(() => {
    const timer = setInterval(() => void look(), LIVE_REFETCH_MS);
    return () => clearInterval(timer);
  }, [look]);
  return null;
}
