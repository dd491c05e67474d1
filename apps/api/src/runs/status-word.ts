import type { RunStatus } from '@countersign/agent-core';

/** The status of a run in CONTRACT's words. */
export function statusWord(status: RunStatus): string {
  return status.name === 'finished' ? status.status : status.name;
}
