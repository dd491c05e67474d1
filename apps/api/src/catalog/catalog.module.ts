import { Module } from '@nestjs/common';
import type { Environment } from '../platform/env.js';
import { DATABASE, type Database, ENVIRONMENT } from '../platform/tokens.js';
import { transactWith } from '../platform/transaction.js';
import { AgentRepository } from './agent.repository.js';
import { AgentsController, SAVE_AGENT } from './agents.controller.js';
import { DefinitionRepository } from './definition.repository.js';
import { DefinitionCatalog } from './definitions.js';
import { ProviderRepository } from './provider.repository.js';
import { ProvidersController, SAVE_PROVIDER_KEY } from './providers.controller.js';
import type { SaveProviderKeyDependencies } from './save-provider-key.js';
import { savingAgents, savingTools } from './saving.js';
import { ToolRepository } from './tool.repository.js';
import { SAVE_TOOL, ToolsController } from './tools.controller.js';

/** How the catalog learns what a model costs: governance knows, which the catalog does not. ApiModule provides it. */
export const FIND_PRICE = Symbol('FindPrice');

const REPOSITORIES = [ToolRepository, AgentRepository, ProviderRepository].map((Repository) => ({
  provide: Repository,
  useFactory: (prisma: Database) => new Repository(transactWith(prisma)),
  inject: [DATABASE],
}));

/** What a tenant's runs are made of: agents, tools, and the keys of providers. */
@Module({
  controllers: [AgentsController, ToolsController, ProvidersController],
  providers: [
    ...REPOSITORIES,
    {
      provide: DefinitionCatalog,
      useFactory: (prisma: Database) => new DefinitionCatalog(new DefinitionRepository(prisma)),
      inject: [DATABASE],
    },
    { provide: SAVE_TOOL, useFactory: savingTools, inject: [ToolRepository, ENVIRONMENT] },
    {
      provide: SAVE_AGENT,
      useFactory: savingAgents,
      inject: [AgentRepository, ToolRepository, ProviderRepository, FIND_PRICE, ENVIRONMENT],
    },
    {
      provide: SAVE_PROVIDER_KEY,
      useFactory: (providers: ProviderRepository, { secret }: Environment): SaveProviderKeyDependencies => ({
        providers,
        secret,
      }),
      inject: [ProviderRepository, ENVIRONMENT],
    },
  ],
  exports: [DefinitionCatalog, ToolRepository, AgentRepository, ProviderRepository],
})
export class CatalogModule {}
