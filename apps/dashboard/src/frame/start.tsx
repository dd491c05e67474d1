'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { NoPermission } from '../kit/notice';
import { useHref } from './go';
import { usePlaces } from './use-places';

/** Leads to the first place that the person may see. */
export function Start() {
  const router = useRouter();
  const href = useHref();
  const first = usePlaces()[0]?.href;
  useEffect(() => {
    if (first !== undefined) {
      router.replace(href(first));
    }
  }, [first, href, router]);
  return first === undefined ? <NoPermission what="see anything of this tenant" /> : null;
}
