'use client';

import Link from 'next/link';
import { type ComponentProps, useCallback } from 'react';
import { useSession } from './session';

/** Makes a path of the desk into a link that shows the same tenant to whoever opens it. */
export function useHref(): (path: string) => string {
  const { tenant, tenants } = useSession();
  const several = tenants.length > 1;
  return useCallback((path) => (several ? withTenant(path, tenant.slug) : path), [several, tenant.slug]);
}

function withTenant(path: string, slug: string): string {
  const [before = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('tenant', slug);
  return `${before}?${parameters.toString()}`;
}

/** A link to a page of the desk. */
export function Go({ href, ...rest }: Omit<ComponentProps<typeof Link>, 'href'> & { href: string }) {
  return <Link href={useHref()(href)} prefetch={false} {...rest} />;
}
