'use client';

import type { Run } from '@countersign/contracts';
import { useEffect, useState } from 'react';
import { type Page, useRead } from '../api/use-read';
import { useSession } from './session';

const PAUSE_MS = 180;
const LEAST = 2;
const SHOWN = 6;

/** Runs by id, operation, subject or words of their output, once somebody pauses in typing. */
export function useFoundRuns(text: string): { runs: readonly Run[]; searching: boolean } {
  const { can } = useSession();
  const asked = usePaused(text.trim());
  const enabled = can('runs:read') && asked.length >= LEAST;
  const found = useRead<Page<Run>>('/v1/runs', { q: asked, limit: SHOWN }, { enabled });
  return {
    runs: enabled ? (found.data?.data ?? []) : [],
    searching: (enabled && found.isPending) || asked !== text.trim(),
  };
}

function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
