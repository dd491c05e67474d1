import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { CatalogModule, FIND_PRICE } from './catalog/catalog.module.js';
import { GovernanceModule } from './governance/governance.module.js';
import { PriceBook } from './governance/price-book.js';
import { identityModule } from './identity/identity.module.js';
import { openIdentity } from './identity/open-identity.js';
import { MetricsModule } from './metrics/metrics.module.js';
import type { OpenParts } from './platform/open-process.js';
import { platformModule } from './platform/platform.module.js';
import { openPrisma } from './platform/prisma.js';
import { RunsModule } from './runs/runs.module.js';
import { TenancyModule } from './tenancy/tenancy.module.js';

/** What one feature tells another that may not import it. */
@Global()
@Module({
  imports: [GovernanceModule],
  providers: [
    {
      provide: FIND_PRICE,
      useFactory: (prices: PriceBook) => (provider: string, model: string) => prices.find(provider, model),
      inject: [PriceBook],
    },
  ],
  exports: [FIND_PRICE],
})
class LinksModule {}

@Module({})
class ApiModule {}

/** Everything that the API serves. */
export function apiModule(parts: OpenParts): DynamicModule {
  const prisma = openPrisma(parts.database);
  const identity = openIdentity(parts, prisma);
  return {
    module: ApiModule,
    imports: [
      platformModule(parts, prisma, identity.people),
      identityModule(identity),
      LinksModule,
      TenancyModule,
      GovernanceModule,
      CatalogModule,
      RunsModule,
      ApprovalsModule,
      MetricsModule,
    ],
  };
}
