import type { ToolPort } from '@countersign/agent-core';
import { Module } from '@nestjs/common';
import type { Clock } from '../platform/clock.js';
import type { Environment } from '../platform/env.js';
import type { Log } from '../platform/log.js';
import {
  CLOCK,
  DATABASE,
  type Database,
  ENVIRONMENT,
  LOG,
  PRISMA,
  type PrismaClient,
} from '../platform/tokens.js';
import { transactWith } from '../platform/transaction.js';
import { egressGuardFor } from '../tools/egress-guard.js';
import { openToolPort } from '../tools/open-tool-port.js';
import { AgentRepository } from './agent.repository.js';
import { AgentsController, SAVE_AGENT } from './agents.controller.js';
import { CredentialRepository } from './credential.repository.js';
import { DefinitionRepository } from './definition.repository.js';
import { DefinitionCatalog } from './definitions.js';
import { ProviderRepository } from './provider.repository.js';
import { ProvidersController, SAVE_PROVIDER_KEY } from './providers.controller.js';
import type { SaveProviderKeyDependencies } from './save-provider-key.js';
import { savingAgents, savingTools } from './saving.js';
import { ToolRepository } from './tool.repository.js';
import { ToolSecretRepository } from './tool-secret.repository.js';
import { SAVE_TOOL, TOOL_PORT, ToolsController } from './tools.controller.js';

export { TOOL_PORT };

/** How the catalog learns what a model costs: governance knows, which the catalog does not. ApiModule provides it. */
export const FIND_PRICE = Symbol('FindPrice');

const REPOSITORIES = [ToolRepository, AgentRepository, ProviderRepository].map((Repository) => ({
  provide: Repository,
  useFactory: (prisma: PrismaClient) => new Repository(transactWith(prisma)),
  inject: [PRISMA],
}));

/** What a tenant's runs are made of: agents, tools, and the keys of providers. */
@Module({
  controllers: [AgentsController, ToolsController, ProvidersController],
  providers: [
    ...REPOSITORIES,
    {
      provide: CredentialRepository,
      useFactory: (database: Database) => new CredentialRepository(database),
      inject: [DATABASE],
    },
    {
      provide: DefinitionCatalog,
      useFactory: (database: Database) => new DefinitionCatalog(new DefinitionRepository(database)),
      inject: [DATABASE],
    },
    {
      provide: TOOL_PORT,
      useFactory: openTools,
      inject: [DATABASE, ENVIRONMENT, CLOCK, LOG],
    },
    { provide: SAVE_TOOL, useFactory: savingTools, inject: [ToolRepository, ENVIRONMENT] },
    {
      provide: SAVE_AGENT,
      useFactory: savingAgents,
      inject: [AgentRepository, ToolRepository, CredentialRepository, FIND_PRICE, ENVIRONMENT],
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
  exports: [TOOL_PORT, DefinitionCatalog, ToolRepository, AgentRepository, ProviderRepository],
})
export class CatalogModule {}

function openTools(database: Database, environment: Environment, clock: Clock, log: Log): ToolPort {
  const secrets = new ToolSecretRepository(database);
  return openToolPort({
    guard: egressGuardFor(environment),
    findSecrets: (tenant, tool, version) => secrets.find(tenant, tool, version),
    secret: environment.secret,
    now: () => clock.now(),
    log,
  });
}
