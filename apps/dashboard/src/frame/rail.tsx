'use client';

import { Search } from 'lucide-react';
import { useLiveState } from '../api/live-provider';
import { cn } from '../kit/cn';
import { hint } from '../kit/hint';
import { KeyHint } from '../kit/key-hint';
import { AccountMenu } from './account-menu';
import { Go } from './go';
import { openPalette } from './overlays';
import { TenantSwitcher } from './tenant-switcher';
import { type ShownPlace, usePlaces } from './use-places';

/** The way around, at the left; only signs below 1024 pixels, and a bar at the bottom below 768. */
export function Rail() {
  const places = usePlaces();
  return (
    <nav
      aria-label="Desk"
      className="hidden w-12 shrink-0 flex-col border-line border-r bg-ground md:flex lg:w-50"
    >
      <div className="p-2">
        <TenantSwitcher />
      </div>
      <div className="px-2 pb-3">
        <button
          type="button"
          onClick={openPalette}
          className="flex h-7 w-full items-center gap-2 rounded-6 border border-line bg-surface px-2 text-muted transition-colors hover:border-line-strong max-lg:justify-center max-lg:px-0"
        >
          <Search aria-hidden className="size-3.5 shrink-0" />
          <span className="flex-1 text-left max-lg:sr-only">Search</span>
          <span className="max-lg:hidden">
            <KeyHint keys="mod+k" />
          </span>
        </button>
      </div>
      <div className="flex flex-1 flex-col gap-0.5 px-2">
        {places.map((place) => (
          <RailPlace key={place.href} {...place} />
        ))}
      </div>
      <LiveSign />
      <div className="border-line border-t p-2">
        <AccountMenu />
      </div>
    </nav>
  );
}

function RailPlace({ href, label, icon: Icon, keys, current, waiting }: ShownPlace) {
  return (
    <Go
      href={href}
      aria-current={current ? 'page' : undefined}
      {...hint(label, keys)}
      className={cn(
        'relative flex h-7 items-center gap-2 rounded-6 px-2 text-muted transition-colors duration-75 hover:bg-hover hover:text-ink max-lg:justify-center max-lg:px-0',
        current && 'bg-pressed font-medium text-ink hover:bg-pressed',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      <span className="flex-1 max-lg:sr-only">{label}</span>
      {waiting > 0 && (
        <span className="figures rounded-4 font-medium text-12 text-amber max-lg:absolute max-lg:-top-1 max-lg:right-0">
          {waiting}
          <span className="sr-only"> waiting</span>
        </span>
      )}
    </Go>
  );
}

/** Said only when it is not as it should be: what is shown may be up to ten seconds old. */
function LiveSign() {
  return useLiveState() === 'live' ? null : (
    <p
      role="status"
      className="flex items-center gap-2 px-4 py-2 text-12 text-faint max-lg:justify-center max-lg:px-0"
    >
      <span aria-hidden className="size-1.5 animate-breathe rounded-full bg-line-strong" />
      <span className="max-lg:sr-only">Connecting</span>
    </p>
  );
}
