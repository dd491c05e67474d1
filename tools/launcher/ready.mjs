import { describeEnding } from './processes.mjs';
import { StartError } from './say.mjs';

const READY_MS = 60_000;

/**
 * Resolves when the process says that it is ready; refuses when it ends before, or does not say so in a minute.
 *
 * @param {import('./processes.mjs').Running} running
 * @param {number} port
 */
export async function ready(running, port) {
  const deadline = Date.now() + READY_MS;
  let last = 'no answer';
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) });
      if (response.ok) {
        return;
      }
      last = `status ${response.status}: ${(await response.text()).slice(0, 200)}`;
    } catch {
      last = 'no answer';
    }
    const ending = await Promise.race([running.ended, new Promise((resolve) => setTimeout(resolve, 100))]);
    if (ending !== undefined) {
      throw new StartError(describeEnding(ending));
    }
  }
  throw new StartError(`${running.program.name} is not ready after ${READY_MS / 1000} s (${last})`);
}
