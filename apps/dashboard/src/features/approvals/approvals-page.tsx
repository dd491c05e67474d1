'use client';

import { useSession } from '../../frame/session';
import { NoPermission } from '../../kit/notice';
import { ApprovalsDesk } from './approvals-desk';

/** The queue of decisions. */
export function ApprovalsPage() {
  return useSession().can('approvals:read') ? <ApprovalsDesk /> : <NoPermission what="see approvals" />;
}
