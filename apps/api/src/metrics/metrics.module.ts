import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '../platform/tokens.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsRepository } from './metrics.repository.js';
import { OperatorMetricsController } from './operator-metrics.controller.js';

/** Figures over runs: a tenant's own, and the operator's over all. */
@Module({
  controllers: [MetricsController, OperatorMetricsController],
  providers: [
    {
      provide: MetricsRepository,
      useFactory: (database: Database) => new MetricsRepository(database),
      inject: [DATABASE],
    },
  ],
})
export class MetricsModule {}
