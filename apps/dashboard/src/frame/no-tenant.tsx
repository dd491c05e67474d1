'use client';

import type { Me } from '@countersign/contracts';
import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { request } from '../api/request';
import { Button } from '../kit/button';
import { Empty } from '../kit/notice';
import { signOut } from './sign-out';

/** The URL names a tenant that the person does not belong to, or the person belongs to none. */
export function NoTenant({ asked }: { asked: string | null }) {
  const { data } = useQuery({
    queryKey: ['session', null],
    queryFn: ({ signal }) => request<Me>('/v1/me', { tenant: null, signal }),
  });
  const tenants = data?.tenants ?? [];
  return (
    <main className="flex min-h-dvh items-center">
      <Empty
        icon={Building2}
        title={asked === null ? 'You belong to no tenant yet' : `You do not belong to “${asked}”`}
        actions={
          <>
            {tenants.map(({ slug, name }) => (
              <Button key={slug} asChild>
                <a href={`/?tenant=${encodeURIComponent(slug)}`}>{name}</a>
              </Button>
            ))}
            <Button variant="ghost" onClick={() => void signOut()}>
              Sign out
            </Button>
          </>
        }
      >
        {tenants.length > 0
          ? 'Go to one of yours:'
          : 'Ask an admin of a tenant to add you by your e-mail address.'}
      </Empty>
    </main>
  );
}
