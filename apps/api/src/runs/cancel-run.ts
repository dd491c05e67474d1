import type { TenantScope } from '../platform/tenant-context.js';
import { type AmendDependencies, amendRun } from './amend-run.js';

/**
 * Asks for a run's end. A repeat changes nothing, and neither does it for a run that has ended. Effects under way are
 * settled first, so that the run ends a little later.
 * @returns whether it had ended before.
 * @throws Problem not_found.
 */
export async function cancelRun(
  dependencies: AmendDependencies,
  { tenant, actor }: TenantScope,
  runId: string,
): Promise<{ readonly endedBefore: boolean }> {
  let endedBefore = false;
  await amendRun(dependencies, { tenant, runId }, (run) => {
    endedBefore = run.status.name === 'finished';
    if (endedBefore || run.cancelRequested) return [];
    return [{ type: 'run.cancel_requested', by: actor }];
  });
  return { endedBefore };
}
