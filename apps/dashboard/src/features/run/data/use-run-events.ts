'use client';

import { useEffect, useState } from 'react';
import { useTenantSlug } from '../../../api/api-provider';
import type { StreamedEvent } from '../../../api/event-stream';
import { followEvents, type StreamState } from './follow-events';
import { NOTHING_READ, type ReadEvents, withArrived } from './run-events';

/** The events of a run, all that are stored and then each as it happens. What arrives is added once a frame. */
export function useRunEvents(runId: string): ReadEvents & { readonly state: StreamState } {
  const tenant = useTenantSlug();
  const [read, setRead] = useState(NOTHING_READ);
  const [state, setState] = useState<StreamState>('reading');
  useEffect(() => {
    if (tenant === null) {
      return;
    }
    const ending = new AbortController();
    let waiting: StreamedEvent[] = [];
    let frame = 0;
    const add = () => {
      const arrived = waiting;
      waiting = [];
      frame = 0;
      setRead((before) => withArrived(before, arrived));
    };
    setRead(NOTHING_READ);
    setState('reading');
    const arrived = (event: StreamedEvent) => {
      waiting.push(event);
      frame = frame === 0 ? requestAnimationFrame(add) : frame;
    };
    void followEvents(tenant, runId, { arrived, state: setState }, ending.signal);
    return () => {
      ending.abort();
      cancelAnimationFrame(frame);
    };
  }, [tenant, runId]);
  return { ...read, state };
}
