'use client';

import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { useSession } from '../../frame/session';
import { useNow } from '../../kit/use-now';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The stretches of time that one choice names: as many whole days (UTC), today included, or hours, up to now. */
export const RANGES = {
  '24h': { label: 'Last 24 hours', unit: 'hour', units: 24 },
  '7d': { label: 'Last 7 days', unit: 'day', units: 7 },
  '30d': { label: 'Last 30 days', unit: 'day', units: 30 },
  '90d': { label: 'Last 90 days', unit: 'day', units: 90 },
} as const;
export type RangeName = keyof typeof RANGES;
export type Unit = (typeof RANGES)[RangeName]['unit'];

/** What spending is told apart by. */
export const PARTS = { agent: 'Agent', model: 'Model', tool: 'Tool', tenant: 'Tenant' } as const;
export type Part = keyof typeof PARTS;

const parsers = {
  range: parseAsStringLiteral(Object.keys(RANGES) as RangeName[]).withDefault('30d'),
  by: parseAsStringLiteral(Object.keys(PARTS) as Part[]).withDefault('agent'),
  /** For operators of the platform: `all`, or the id of a tenant; null is the tenant of the desk. */
  of: parseAsString,
};

export const ALL_TENANTS = 'all';

/** Whose metrics, of which time: as the URL says it. */
export interface Scope {
  readonly range: RangeName;
  readonly unit: Unit;
  /** Milliseconds; whole hours in UTC. */
  readonly from: number;
  readonly to: number;
  readonly by: Part;
  /** Of the platform (all tenants, or the one that is named), or of the desk's own tenant (null). */
  readonly platform: { readonly tenant: string | null } | null;
}

/** The scope, and what changes it. */
export function useScope() {
  const { operator, tenant, can } = useSession();
  const [{ range, by, of }, set] = useQueryStates(parsers, { history: 'push', clearOnDefault: true });
  const homeless = tenant.id === '' || !can('metrics:read');
  const chosen = of ?? (homeless ? ALL_TENANTS : null);
  const hour = Math.floor((useNow(60_000) ?? Date.now()) / HOUR_MS);
  const scope = useMemo<Scope>(() => {
    const { unit, units } = RANGES[range];
    const to = (hour + 1) * HOUR_MS;
    const from = unit === 'hour' ? to - units * HOUR_MS : (Math.ceil(to / DAY_MS) - units) * DAY_MS;
    const platform = operator && chosen !== null ? { tenant: chosen === ALL_TENANTS ? null : chosen } : null;
    const possible = by === 'tenant' && (platform === null || platform.tenant !== null) ? 'agent' : by;
    return { range, unit, from, to, by: possible, platform };
  }, [range, by, hour, operator, chosen]);
  return { scope, of: chosen, mayLeave: !homeless, set };
}
