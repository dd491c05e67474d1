'use client';

import { Page } from '../../frame/page';
import { Empty } from '../../kit/notice';

/** The queue of decisions. */
export function ApprovalsPage() {
  return (
    <Page title="Approvals">
      <Empty title="Nothing waits for a decision" />
    </Page>
  );
}
