import type { Scope } from '@countersign/contracts';
import { ChartColumn, ListTree, type LucideIcon, Signature, Users } from 'lucide-react';

/** A place of the rail. */
export interface Place {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Typed one after the other. */
  readonly keys: string;
  /** Without it the place is not shown. */
  readonly scope: Scope;
  /** Also shown to operators of the platform, whatever they may do in a tenant. */
  readonly forOperators?: true;
  /** The number beside it. */
  readonly counts?: 'approvals';
}

/** What exists, in the order of the rail; the first that a person may see is where they start. */
export const PLACES: readonly Place[] = [
  {
    href: '/approvals',
    label: 'Approvals',
    icon: Signature,
    keys: 'g a',
    scope: 'approvals:read',
    counts: 'approvals',
  },
  { href: '/runs', label: 'Runs', icon: ListTree, keys: 'g r', scope: 'runs:read' },
  {
    href: '/metrics',
    label: 'Metrics',
    icon: ChartColumn,
    keys: 'g i',
    scope: 'metrics:read',
    forOperators: true,
  },
  { href: '/members', label: 'Members', icon: Users, keys: 'g m', scope: 'admin' },
];
