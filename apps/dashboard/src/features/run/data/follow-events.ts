import { readEventStream, type StreamedEvent } from '../../../api/event-stream';
import { pause } from '../../../api/pause';
import { ApiProblem } from '../../../api/problem';
import { ask } from '../../../api/request';

import { runPath } from './run-path';

const AGAIN_AFTER_MS = 2_000;

/** `reading` until the stream is open; `away` between two of them; `ended` when nothing more will come. */
export type StreamState = 'reading' | 'live' | 'away' | 'ended';

interface Follower {
  readonly arrived: (event: StreamedEvent) => void;
  readonly state: (state: StreamState) => void;
}

/**
 * Reads the stream of a run until its last event, or until `signal` ends it; where it breaks it goes on behind the last
 * event that arrived. An answer that will not change (no such run, no permission) ends it: the page says so elsewhere.
 */
export async function followEvents(
  tenant: string,
  runId: string,
  { arrived, state }: Follower,
  signal: AbortSignal,
): Promise<void> {
  let lastEventId: string | null = null;
  while (!signal.aborted) {
    try {
      const response = await ask(`${runPath(runId)}/events`, {
        tenant,
        signal,
        accept: 'text/event-stream',
        lastEventId,
      });
      if (response.body === null || response.status === 204) {
        return state('ended');
      }
      state('live');
      for await (const event of readEventStream(response.body)) {
        arrived(event);
        lastEventId = event.id ?? lastEventId;
      }
    } catch (problem) {
      if (problem instanceof ApiProblem && isFinal(problem)) {
        return state('ended');
      }
    }
    if (!signal.aborted) {
      state('away');
      await pause(AGAIN_AFTER_MS, signal);
    }
  }
}

function isFinal({ status }: ApiProblem): boolean {
  return status === 401 || status === 403 || status === 404;
}
