import { Module } from '@nestjs/common';
import type { Clock } from '../platform/clock.js';
import { CLOCK, DATABASE, type Database, PRISMA, type PrismaClient } from '../platform/tokens.js';
import { BreakerRepository } from './breakers/breaker.repository.js';
import { BreakersController } from './breakers/breakers.controller.js';
import { BudgetRepository } from './budget.repository.js';
import { BudgetsController } from './budgets.controller.js';
import { ModelsController, RE_RATE, SET_MODEL_PRICE } from './models.controller.js';
import { PolicyController } from './policy.controller.js';
import { PolicyRepository } from './policy.repository.js';
import { PriceRepository } from './price.repository.js';
import { PriceBook } from './price-book.js';
import type { ReRateDependencies } from './re-rate.js';
import { ReRatingRepository } from './re-rating.repository.js';
import type { SetModelPriceDependencies } from './set-model-price.js';

/** What runs may do and spend: policy, budgets, prices. */
@Module({
  controllers: [PolicyController, BudgetsController, BreakersController, ModelsController],
  providers: [
    {
      provide: PolicyRepository,
      useFactory: (prisma: PrismaClient) => new PolicyRepository(prisma),
      inject: [PRISMA],
    },
    {
      provide: BudgetRepository,
      useFactory: (database: Database) => new BudgetRepository(database),
      inject: [DATABASE],
    },
    {
      provide: BreakerRepository,
      useFactory: (database: Database) => new BreakerRepository(database),
      inject: [DATABASE],
    },
    {
      provide: PriceRepository,
      useFactory: (database: Database) => new PriceRepository(database),
      inject: [DATABASE],
    },
    {
      provide: PriceBook,
      useFactory: (prices: PriceRepository, clock: Clock) =>
        new PriceBook((provider, model) => prices.findCurrent(provider, model), clock.now),
      inject: [PriceRepository, CLOCK],
    },
    {
      provide: SET_MODEL_PRICE,
      useFactory: (prices: PriceRepository, book: PriceBook): SetModelPriceDependencies => ({ prices, book }),
      inject: [PriceRepository, PriceBook],
    },
    {
      provide: RE_RATE,
      useFactory: (prices: PriceRepository, database: Database): ReRateDependencies => ({
        prices,
        ratings: new ReRatingRepository(database),
      }),
      inject: [PriceRepository, DATABASE],
    },
  ],
  exports: [PriceBook, PolicyRepository, BudgetRepository],
})
export class GovernanceModule {}
