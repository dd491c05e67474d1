'use client';

import type { Agent, Run } from '@countersign/contracts';
import { useMemo } from 'react';
import { type Page, useRead } from '../../../api/use-read';
import { useSession } from '../../../frame/session';
import type { Creation } from '../story/happening';
import { type StartBody, startAgain } from './start-again';

/** What would start this run again; null before its first event was read. */
export function useStartAgain(run: Run, creation: Creation | null): StartBody | null {
  const { can } = useSession();
  const { name, version } = run.agent;
  const versions = useRead<Page<Agent>>(
    `/v1/agents/${name}/versions`,
    { limit: 20 },
    { enabled: can('agents:read') },
  );
  const agent = versions.data?.data.find((each) => each.version === version) ?? null;
  return useMemo(() => (creation === null ? null : startAgain(run, creation, agent)), [run, creation, agent]);
}
