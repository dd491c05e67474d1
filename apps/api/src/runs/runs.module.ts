import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { DefinitionCatalog } from '../catalog/definitions.js';
import type { Clock } from '../platform/clock.js';
import { CLOCK, DATABASE, type Database, PRISMA, type PrismaClient, QUEUE } from '../platform/tokens.js';
import type { QueueAccess } from '../platform/wake.js';
import { ChangesController } from './changes.controller.js';
import { EventsController } from './events.controller.js';
import { LedgerRepository } from './ledger.repository.js';
import { RunRepository } from './run.repository.js';
import { RUN_VERBS, type RunVerbs } from './run-verbs.js';
import { RunsController } from './runs.controller.js';
import { RecordedCallRepository } from './simulation/recorded-call.repository.js';
import type { SimulatePolicyDependencies } from './simulation/simulate-policy.js';
import { SIMULATE_POLICY, SimulationController } from './simulation/simulation.controller.js';
import { StreamLimit } from './stream-limit.js';
import { ThreadRepository } from './threads/thread.repository.js';
import { ThreadsController } from './threads/threads.controller.js';

/** Runs from outside: starting, watching and cancelling them. What a worker does with them is in execution/. */
@Module({
  imports: [CatalogModule],
  controllers: [RunsController, ThreadsController, EventsController, ChangesController, SimulationController],
  providers: [
    StreamLimit,
    {
      provide: LedgerRepository,
      useFactory: (database: Database) => new LedgerRepository(database),
      inject: [DATABASE],
    },
    {
      provide: RunRepository,
      useFactory: (database: Database, prisma: PrismaClient) => new RunRepository(database, prisma),
      inject: [DATABASE, PRISMA],
    },
    {
      provide: ThreadRepository,
      useFactory: (prisma: PrismaClient) => new ThreadRepository(prisma),
      inject: [PRISMA],
    },
    {
      provide: SIMULATE_POLICY,
      useFactory: (database: Database, catalog: DefinitionCatalog): SimulatePolicyDependencies => ({
        calls: new RecordedCallRepository(database),
        catalog,
      }),
      inject: [DATABASE, DefinitionCatalog],
    },
    {
      provide: RUN_VERBS,
      useFactory: runVerbs,
      inject: [DefinitionCatalog, LedgerRepository, RunRepository, ThreadRepository, QUEUE, CLOCK],
    },
  ],
  exports: [LedgerRepository, RunRepository, RUN_VERBS],
})
export class RunsModule {}

function runVerbs(
  catalog: DefinitionCatalog,
  ledger: LedgerRepository,
  runs: RunRepository,
  threads: ThreadRepository,
  { wake, relay }: QueueAccess,
  clock: Clock,
): RunVerbs {
  return {
    catalog,
    ledger,
    wake,
    relay,
    now: () => clock.now(),
    findThread: (tenant, id) => threads.find(tenant, id),
    find: (tenant, runId) => runs.find(tenant, runId),
    eventsAfter: (tenant, runId, after, limit) => runs.eventsAfter(tenant, runId, after, limit),
  };
}
