import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { KeyRepository } from '../tenancy/key.repository.js';
import { AuthGuard } from './auth.guard.js';
import { HealthController } from './health.controller.js';
import { IDEMPOTENCY_STORE } from './idempotency.interceptor.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { KeyCache } from './key-cache.js';
import type { OpenParts } from './open-process.js';
import { OpenApiController } from './openapi.controller.js';
import type { People } from './people.js';
import { ProblemFilter } from './problem.filter.js';
import { RateLimit } from './rate-limit.js';
import { RateLimitRepository } from './rate-limit.repository.js';
import { SharedRateLimit } from './shared-rate-limit.js';
import {
  CLOCK,
  DATABASE,
  ENVIRONMENT,
  LOG,
  PEOPLE,
  PRISMA,
  type PrismaClient,
  QUEUE,
  READINESS_CHECKS,
} from './tokens.js';
import { transactWith } from './transaction.js';

@Global()
@Module({})
class PlatformModule {}

/** What every feature stands on: who asks, what an error looks like, and the parts that the process opened. */
export function platformModule(opened: OpenParts, prisma: PrismaClient, people: People): DynamicModule {
  const { environment, log, database } = opened;
  const keys = new KeyRepository(database, transactWith(prisma));
  const cache = new KeyCache((digest) => keys.findByDigest(digest));
  const onLoopback = isLoopback(environment.host);
  const buckets = new RateLimitRepository(database);
  const rates = new SharedRateLimit({
    take: (requester, perSecond, wanted) => buckets.take(requester, perSecond, wanted),
    alone: new RateLimit(),
  });
  const guard = new AuthGuard(cache, people, rates, new RateLimit(), environment.adminKey, onLoopback);
  const parts = [
    { provide: ENVIRONMENT, useValue: environment },
    { provide: LOG, useValue: log },
    { provide: DATABASE, useValue: database },
    { provide: PRISMA, useValue: prisma },
    { provide: QUEUE, useValue: opened.queue },
    { provide: CLOCK, useValue: opened.clock },
    { provide: PEOPLE, useValue: people },
    { provide: READINESS_CHECKS, useValue: opened.checks },
    { provide: KeyRepository, useValue: keys },
    { provide: KeyCache, useValue: cache },
    { provide: IDEMPOTENCY_STORE, useValue: new IdempotencyRepository(database) },
  ];
  return {
    module: PlatformModule,
    controllers: [HealthController, OpenApiController],
    providers: [
      ...parts,
      { provide: APP_GUARD, useValue: guard },
      { provide: APP_FILTER, useValue: new ProblemFilter(log) },
    ],
    exports: parts.map(({ provide }) => provide),
  };
}

function isLoopback(host: string): boolean {
  return host === '::1' || host.startsWith('127.');
}
