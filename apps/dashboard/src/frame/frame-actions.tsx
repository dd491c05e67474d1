'use client';

import { Keyboard, KeyRound, LogOut, SunMoon } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type Action, useActions } from './actions';
import { ChangePassword } from './change-password';
import { useHref } from './go';
import { KeysOverlay } from './keys-overlay';
import { closeOverlay, openChangePassword, openKeys, openPalette, useOverlay } from './overlays';
import { Palette } from './palette';
import { useSession } from './session';
import { signOut } from './sign-out';
import { type Theme, useTheme } from './theme';
import { usePlaces } from './use-places';

const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: 'Theme as the device',
  light: 'Light theme',
  dark: 'Dark theme',
};

/** What can be done on every page, and the overlays that show all there is. */
export function FrameActions() {
  const router = useRouter();
  const href = useHref();
  const places = usePlaces();
  const { tenant, tenants, switchTenant } = useSession();
  const [theme, chooseTheme] = useTheme();
  const overlay = useOverlay();

  useActions(
    'Go to',
    places.map(({ href: path, label, icon, keys }) => ({
      label,
      icon,
      keys,
      run: () => router.push(href(path)),
    })),
  );
  useActions(
    'Tenant',
    tenants
      .filter(({ slug }) => slug !== tenant.slug)
      .map(({ slug, name }) => ({
        label: `Switch to ${name}`,
        keywords: [slug],
        run: () => switchTenant(slug),
      })),
  );
  useActions('Everywhere', [
    { label: 'Search and act', keys: 'mod+k', run: openPalette, palette: false, whileTyping: true },
    { label: 'Keys', icon: Keyboard, keys: '?', run: openKeys },
    ...(Object.keys(THEME_LABELS) as Theme[])
      .filter((one) => one !== theme)
      .map((one): Action => ({ label: THEME_LABELS[one], icon: SunMoon, run: () => chooseTheme(one) })),
    { label: 'Change password', icon: KeyRound, run: openChangePassword },
    { label: 'Sign out', icon: LogOut, run: () => void signOut() },
  ]);

  return (
    <>
      <Palette open={overlay === 'palette'} onClose={closeOverlay} />
      <KeysOverlay open={overlay === 'keys'} onClose={closeOverlay} />
      <ChangePassword open={overlay === 'password'} onClose={closeOverlay} />
    </>
  );
}
