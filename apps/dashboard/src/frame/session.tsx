'use client';

import type { Me, Role, Scope } from '@countersign/contracts';
import { useQuery } from '@tanstack/react-query';
import { usePathname, useRouter } from 'next/navigation';
import { useQueryState } from 'nuqs';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { TenantProvider } from '../api/api-provider';
import type { ApiProblem } from '../api/problem';
import { request } from '../api/request';
import { ErrorState } from '../kit/notice';
import { FrameSkeleton } from './frame-skeleton';
import { NoTenant } from './no-tenant';
import { rememberedTenant, rememberTenant } from './remembered-tenant';

/** Who is signed in, and the tenant that this page is about. */
export interface Session {
  readonly actor: Me['actor'];
  readonly operator: boolean;
  readonly tenant: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly role: Role | null;
  };
  readonly tenants: Me['tenants'];
  /** Whether the person's role reaches this far here. The API decides; this only spares a question. */
  readonly can: (scope: Scope) => boolean;
  /** Shows the same place of another tenant. */
  readonly switchTenant: (slug: string) => void;
}

const SessionContext = createContext<Session | null>(null);

/** The session; only within the frame. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) {
    throw new Error('useSession is called outside of the frame');
  }
  return session;
}

/**
 * Asks who is signed in. The tenant stands in the URL (`?tenant=`) as soon as the person belongs to several, so that a
 * link shows a colleague the same, and two tabs may show two tenants.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useQueryState('tenant');
  const me = useQuery<Me, ApiProblem>({
    queryKey: ['session', asked],
    queryFn: ({ signal }) => request<Me>('/v1/me', { tenant: asked, signal }),
    staleTime: 60_000,
  });
  const unchosen = me.data?.tenant === null && asked === null ? me.data.tenants : [];
  const chosen = unchosen.find(({ slug }) => slug === rememberedTenant()) ?? unchosen[0];
  useEffect(() => {
    if (chosen !== undefined) {
      void setAsked(chosen.slug, { history: 'replace' });
    }
  }, [chosen, setAsked]);

  if (me.error !== null && me.data === undefined) {
    return isRefusal(me.error) && asked !== null ? (
      <NoTenant asked={asked} />
    ) : (
      <ErrorState
        title="Countersign does not answer"
        detail={me.error.detail}
        requestId={me.error.requestId}
        retry={() => void me.refetch()}
        className="min-h-dvh justify-center"
      />
    );
  }
  if (me.data === undefined || chosen !== undefined) {
    return <FrameSkeleton />;
  }
  const tenant = me.data.tenant ?? (me.data.operator && asked === null ? PLATFORM : null);
  return tenant === null ? (
    <NoTenant asked={asked} />
  ) : (
    <SignedIn me={me.data} tenant={tenant}>
      {children}
    </SignedIn>
  );
}

/** In a tenant's place for an operator of the platform who belongs to none. */
const PLATFORM: NonNullable<Me['tenant']> = { id: '', slug: '', name: 'Platform', role: null, scopes: [] };

const isRefusal = ({ status }: ApiProblem) => status === 400 || status === 403 || status === 404;

interface SignedInProps {
  me: Me;
  tenant: NonNullable<Me['tenant']>;
  children: ReactNode;
}

function SignedIn({ me, tenant, children }: SignedInProps) {
  const router = useRouter();
  const place = `/${usePathname().split('/')[1] ?? ''}`;
  useEffect(() => {
    if (tenant !== PLATFORM) rememberTenant(tenant.slug);
  }, [tenant]);
  const session = useMemo<Session>(
    () => ({
      ...me,
      tenant,
      can: (scope) => tenant.scopes.includes(scope) || tenant.scopes.includes('admin'),
      switchTenant: (slug) => router.push(`${place}?tenant=${encodeURIComponent(slug)}`),
    }),
    [me, tenant, router, place],
  );
  return (
    <SessionContext value={session}>
      <TenantProvider value={tenant === PLATFORM ? null : tenant.slug}>{children}</TenantProvider>
    </SessionContext>
  );
}
