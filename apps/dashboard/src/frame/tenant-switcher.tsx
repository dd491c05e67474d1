'use client';

import { ChevronsUpDown } from 'lucide-react';
import { InertText } from '../kit/inert-text';
import { Menu, MenuChoice, MenuLabel } from '../kit/menu';
import { useSession } from './session';
import { TenantMark } from './tenant-mark';

const box = 'flex h-8 w-full min-w-0 items-center gap-2 rounded-6 px-1.5 max-lg:justify-center max-lg:px-0';

/** The tenant, and the others that the person belongs to. */
export function TenantSwitcher() {
  const { tenant, tenants, switchTenant } = useSession();
  const name = (
    <span className="min-w-0 flex-1 truncate text-left font-semibold max-lg:sr-only">
      <InertText text={tenant.name} />
    </span>
  );
  if (tenants.length < 2) {
    return (
      <div className={box}>
        <TenantMark name={tenant.name} />
        {name}
      </div>
    );
  }
  return (
    <Menu
      className="w-60"
      trigger={
        <button
          type="button"
          className={`${box} transition-colors hover:bg-hover data-[state=open]:bg-hover`}
        >
          <TenantMark name={tenant.name} />
          {name}
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint max-lg:hidden" />
        </button>
      }
    >
      <MenuLabel>Tenants</MenuLabel>
      <MenuChoice
        value={tenant.slug}
        onChange={switchTenant}
        options={tenants.map((one) => ({
          value: one.slug,
          label: (
            <span className="flex items-center gap-2">
              <TenantMark name={one.name} />
              <InertText text={one.name} className="truncate" />
              {one.role !== null && <span className="text-faint">{one.role}</span>}
            </span>
          ),
        }))}
      />
    </Menu>
  );
}
