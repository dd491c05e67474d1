'use client';

import { Page } from '../../frame/page';

/** The runs of the tenant. */
export function RunsPage() {
  return <Page title="Runs">{null}</Page>;
}
