import type { Scope } from '@countersign/contracts';
import { ListTree, type LucideIcon, Signature, Users } from 'lucide-react';

/** A place of the rail. */
export interface Place {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Typed one after the other. */
  readonly keys: string;
  /** Without it the place is not shown. */
  readonly scope: Scope;
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
  { href: '/members', label: 'Members', icon: Users, keys: 'g m', scope: 'admin' },
];
