import type { ServerResponse } from 'node:http';

/** Aborted when the answer was sent or the client went away, so that nothing is waited for on behalf of nobody. */
export function closedSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}
