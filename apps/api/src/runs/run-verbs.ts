import type { AmendDependencies } from './amend-run.js';
import type { LedgerRepository } from './ledger.repository.js';
import type { StartRunDependencies } from './start-run.js';
import type { StreamChangesDependencies } from './stream-changes.js';
import type { StreamDependencies } from './stream-events.js';
import type { WaitDependencies } from './wait-for-run.js';

/** What the verbs of this room need, put together once. */
export type RunVerbs = StartRunDependencies &
  AmendDependencies &
  WaitDependencies &
  StreamDependencies &
  StreamChangesDependencies & { readonly ledger: LedgerRepository };

export const RUN_VERBS = Symbol('RunVerbs');
