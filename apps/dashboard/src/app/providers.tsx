'use client';

import { setNonce } from 'get-nonce';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useState } from 'react';
import { ApiProvider } from '../api/api-provider';
import { HintLayer } from '../kit/hint-layer';
import { Toaster } from '../kit/toast';

/** What every page stands on. The nonce is for the style that an open dialog puts on the page behind it. */
export function Providers({ nonce, children }: { nonce: string; children: ReactNode }) {
  useState(() => setNonce(nonce));
  return (
    <NuqsAdapter>
      <ApiProvider>
        {children}
        <HintLayer />
        <Toaster />
      </ApiProvider>
    </NuqsAdapter>
  );
}
