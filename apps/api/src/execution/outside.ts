import {
  createOpenAiChatAdapter,
  createScriptedAdapter,
  type ModelPort,
  type ToolPort,
} from '@countersign/agent-core';
import { scripts } from '@countersign/examples';
import { ProviderRepository } from '../catalog/provider.repository.js';
import { createResolveAccess } from '../catalog/provider-access.js';
import { ToolRepository } from '../catalog/tool.repository.js';
import { PriceRepository } from '../governance/price.repository.js';
import { PriceBook } from '../governance/price-book.js';
import type { Clock } from '../platform/clock.js';
import type { Environment } from '../platform/env.js';
import type { Log } from '../platform/log.js';
import type { Database } from '../platform/prisma.js';
import type { Relay } from '../platform/relay.js';
import { transactWith } from '../platform/transaction.js';
import { EgressGuard } from '../tools/egress.js';
import { openToolPort } from '../tools/open-tool-port.js';
import { createModelPort } from './model-port.js';

export interface OutsideParts {
  readonly environment: Environment;
  readonly database: Database;
  readonly guard: EgressGuard;
  readonly clock: Pick<Clock, 'now'>;
  readonly relay: Pick<Relay, 'delta'>;
  readonly log: Log;
}

/** Everything that a run reaches outside of this process: models and tools, both behind the egress guard. */
export function openOutside({ environment, database, guard, clock, relay, log }: OutsideParts): {
  readonly models: ModelPort;
  readonly tools: ToolPort;
} {
  const transact = transactWith(database);
  const providers = new ProviderRepository(transact);
  const tools = new ToolRepository(transact);
  const prices = new PriceRepository(database);
  const now = () => clock.now();
  return {
    models: createModelPort({
      prices: new PriceBook((provider, model) => prices.findCurrent(provider, model), now),
      resolveAccess: createResolveAccess({
        findCredential: (tenant, provider) => providers.find(tenant, provider),
        mayUseDeploymentKeys: (tenant) => providers.mayUseDeploymentKeys(tenant),
        deployment: environment.providers,
        secret: environment.secret,
      }),
      guard,
      adapters: {
        chat: createOpenAiChatAdapter(),
        scripted: environment.demo ? createScriptedAdapter(scripts) : null,
      },
      publish: (delta) => relay.delta(delta),
    }),
    tools: openToolPort({
      guard,
      findSecrets: (tenant, tool, version) => tools.findSecrets(tenant, tool, version),
      secret: environment.secret,
      now,
      log,
    }),
  };
}
