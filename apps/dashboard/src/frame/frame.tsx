'use client';

import type { ReactNode } from 'react';
import { LiveProvider } from '../api/live-provider';
import { ActionsProvider } from './actions';
import { BottomBar } from './bottom-bar';
import { FrameActions } from './frame-actions';
import { Rail } from './rail';
import { SessionProvider } from './session';

/** What stands around every page of somebody who is signed in. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <SessionProvider>
      <LiveProvider>
        <ActionsProvider>
          <a
            href="#page"
            className="sr-only z-50 rounded-6 bg-overlay px-3 py-1.5 shadow-overlay focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2"
          >
            Skip to the page
          </a>
          <div className="flex h-dvh flex-col md:flex-row">
            <Rail />
            <main id="page" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
              {children}
            </main>
            <BottomBar />
          </div>
          <FrameActions />
        </ActionsProvider>
      </LiveProvider>
    </SessionProvider>
  );
}
