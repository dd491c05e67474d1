'use client';

import { Page } from '../../frame/page';

/** Who belongs to the tenant. */
export function MembersPage() {
  return <Page title="Members">{null}</Page>;
}
