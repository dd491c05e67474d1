'use client';

import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { ApiProblem } from './problem';

/** The tenant that requests name; null before one is chosen. */
const TenantContext = createContext<string | null>(null);

export const TenantProvider = TenantContext.Provider;

/** The slug of the tenant whose data this page shows. */
export function useTenantSlug(): string | null {
  return useContext(TenantContext);
}

/** What was read, kept and shared; a session that ended leads back to the sign-in. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [client] = useState(makeClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function makeClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiProblem && error.status === 401) {
          leaveToSignIn();
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Within a second it is answered, or said that it could not be.
        retry: (failures, error) => isPassing(error) && failures < 2,
        retryDelay: (failures) => 250 * 2 ** failures,
        refetchOnWindowFocus: true,
      },
    },
  });
}

/** Whether the same question may well be answered a moment later. */
function isPassing(error: Error): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
}

/** Loads the sign-in anew, so that nothing of the old session stays in memory; it comes back here. */
function leaveToSignIn(): void {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
}
