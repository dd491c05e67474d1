'use client';

import type { Me } from '@countersign/contracts';
import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { request } from '../api/request';
import { Button } from '../kit/button';
import { InertText } from '../kit/inert-text';
import { Empty } from '../kit/notice';
import { signOut } from './sign-out';

/** The URL names a tenant that the person does not belong to, or the person belongs to none. */
export function NoTenant({ asked }: { asked: string | null }) {
  const { data } = useQuery({
    queryKey: ['session', null],
    queryFn: ({ signal }) => request<Me>('/v1/me', { tenant: null, signal }),
  });
  const tenants = data?.tenants ?? [];
  const operates = data?.operator === true && tenants.length === 0;
  return (
    <main className="flex min-h-dvh items-center">
      <Empty
        icon={Building2}
        title={
          asked !== null
            ? `You do not belong to “${asked}”`
            : operates
              ? 'You operate the platform, and belong to no tenant'
              : 'You belong to no tenant yet'
        }
        actions={
          <>
            {tenants.map(({ slug, name }) => (
              <Button key={slug} asChild>
                <a href={`/?tenant=${encodeURIComponent(slug)}`}>
                  <InertText text={name} />
                </a>
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
          : operates
            ? 'This desk is for members of tenants. Tenants, prices and the queue are managed at the API, under /admin/v1. To see a tenant here, become a member of it: POST /admin/v1/tenants/{id}/members.'
            : 'Ask an admin of a tenant to add you by your e-mail address.'}
      </Empty>
    </main>
  );
}
