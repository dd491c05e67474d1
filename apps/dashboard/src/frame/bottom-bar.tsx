'use client';

import { Search } from 'lucide-react';
import { cn } from '../kit/cn';
import { AccountMenu } from './account-menu';
import { Go } from './go';
import { openPalette } from './overlays';
import { usePlaces } from './use-places';

const cell =
  'relative flex min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-11 text-muted ring-inside';

/** The rail of a phone. */
export function BottomBar() {
  const places = usePlaces();
  return (
    <nav
      aria-label="Desk"
      className="flex h-14 shrink-0 items-stretch border-line border-t bg-ground pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {places.map(({ href, label, icon: Icon, current, waiting }) => (
        <Go
          key={href}
          href={href}
          aria-current={current ? 'page' : undefined}
          className={cn(cell, current && 'font-medium text-ink')}
        >
          <Icon aria-hidden className="size-5" strokeWidth={1.75} />
          {label}
          {waiting > 0 && (
            <span className="figures absolute top-1.5 left-1/2 ml-2 rounded-full bg-amber-soft px-1 font-medium text-11 text-amber leading-4">
              {waiting}
              <span className="sr-only"> waiting</span>
            </span>
          )}
        </Go>
      ))}
      <button type="button" onClick={openPalette} className={cell}>
        <Search aria-hidden className="size-5" strokeWidth={1.75} />
        Search
      </button>
      <AccountMenu as="cell" className={cell} />
    </nav>
  );
}
