'use client';

import { CircleUserRound, Keyboard, KeyRound, LogOut } from 'lucide-react';
import { InertText } from '../kit/inert-text';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../kit/menu';
import { openChangePassword, openKeys } from './overlays';
import { useSession } from './session';
import { signOut } from './sign-out';
import { useTheme } from './theme';

const THEME_OPTIONS = [
  { value: 'system', label: 'As the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

interface AccountMenuProps {
  /** A line of the rail, or a cell of the bottom bar. */
  as?: 'line' | 'cell';
  className?: string;
}

/** Who is signed in, the theme, the keys, the way out. */
export function AccountMenu({ as = 'line', className }: AccountMenuProps) {
  const { actor, tenant, tenants, switchTenant } = useSession();
  const [theme, chooseTheme] = useTheme();
  return (
    <Menu
      className="w-60"
      side="top"
      align={as === 'line' ? 'start' : 'end'}
      trigger={as === 'line' ? <AccountLine name={actor.name} /> : <AccountCell className={className} />}
    >
      <div className="px-2 pt-1.5 pb-2">
        <p className="truncate font-medium">
          <InertText text={actor.name} />
        </p>
        <p className="truncate text-12 text-muted">
          <InertText text={actor.email ?? actor.id} />
        </p>
        {tenant.role !== null && (
          <p className="text-12 text-faint">
            {tenant.role} of <InertText text={tenant.name} />
          </p>
        )}
      </div>
      {as === 'cell' && tenants.length > 1 && (
        <>
          <MenuSeparator />
          <MenuLabel>Tenant</MenuLabel>
          <MenuChoice
            value={tenant.slug}
            onChange={switchTenant}
            options={tenants.map(({ slug, name }) => ({ value: slug, label: <InertText text={name} /> }))}
          />
        </>
      )}
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice value={theme} onChange={chooseTheme} options={THEME_OPTIONS} />
      <MenuSeparator />
      <MenuItem icon={<Keyboard aria-hidden />} keys="?" onSelect={openKeys}>
        Keys
      </MenuItem>
      <MenuItem icon={<KeyRound aria-hidden />} onSelect={openChangePassword}>
        Change password
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function AccountLine({ name, ...rest }: { name: string }) {
  return (
    <button
      type="button"
      {...rest}
      className="flex h-8 w-full min-w-0 items-center gap-2 rounded-6 px-1.5 transition-colors hover:bg-hover data-[state=open]:bg-hover max-lg:justify-center max-lg:px-0"
    >
      <CircleUserRound aria-hidden className="size-5 shrink-0 text-faint" strokeWidth={1.5} />
      <span className="min-w-0 flex-1 truncate text-left text-muted max-lg:sr-only">
        <InertText text={name} />
      </span>
    </button>
  );
}

function AccountCell({ className, ...rest }: { className: string | undefined }) {
  return (
    <button type="button" {...rest} className={className}>
      <CircleUserRound aria-hidden className="size-5" strokeWidth={1.75} />
      Account
    </button>
  );
}
