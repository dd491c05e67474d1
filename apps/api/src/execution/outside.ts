import {
  type BreakerPort,
  createAnthropicMessagesAdapter,
  createGenerateContentAdapter,
  createInteractionsAdapter,
  createOpenAiChatAdapter,
  createOpenAiResponsesAdapter,
  createScriptedAdapter,
  type ModelPort,
  type ToolPort,
} from '@countersign/agent-core';
import { scripts } from '@countersign/examples';
import { CredentialRepository } from '../catalog/credential.repository.js';
import { createResolveAccess } from '../catalog/provider-access.js';
import { ToolSecretRepository } from '../catalog/tool-secret.repository.js';
import type { Breakers } from '../governance/breakers/breakers.js';
import { PriceRepository } from '../governance/price.repository.js';
import { PriceBook } from '../governance/price-book.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database.js';
import type { Environment } from '../platform/env.js';
import type { Log } from '../platform/log.js';
import type { Relay } from '../platform/relay.js';
import { EgressGuard } from '../tools/egress.js';
import { openToolPort } from '../tools/open-tool-port.js';
import { createModelPort } from './model-port.js';
import { toolsWithBreakers } from './tools-with-breakers.js';

export interface OutsideParts {
  readonly environment: Environment;
  readonly database: Database;
  readonly guard: EgressGuard;
  readonly clock: Pick<Clock, 'now'>;
  readonly relay: Pick<Relay, 'delta'>;
  readonly breakers: Breakers;
  readonly log: Log;
}

/** Everything that a run reaches outside of this process: models and tools, behind the egress guard and circuit breakers. */
export function openOutside({ environment, database, guard, clock, relay, breakers, log }: OutsideParts): {
  readonly models: ModelPort;
  readonly tools: ToolPort;
  readonly breakers: BreakerPort;
} {
  const credentials = new CredentialRepository(database);
  const secrets = new ToolSecretRepository(database);
  const prices = new PriceRepository(database);
  const now = () => clock.now();
  const tools = openToolPort({
    guard,
    findSecrets: (tenant, tool, version) => secrets.find(tenant, tool, version),
    secret: environment.secret,
    now,
    log,
  });
  return {
    models: createModelPort({
      prices: new PriceBook((provider, model) => prices.findCurrent(provider, model), now),
      resolveAccess: createResolveAccess({
        findCredential: (tenant, provider) => credentials.find(tenant, provider),
        mayUseDeploymentKeys: (tenant) => credentials.mayUseDeploymentKeys(tenant),
        deployment: environment.providers,
        secret: environment.secret,
      }),
      guard,
      breakers,
      adapters: {
        chat: createOpenAiChatAdapter(),
        responses: createOpenAiResponsesAdapter(),
        messages: createAnthropicMessagesAdapter(),
        generateContent: createGenerateContentAdapter(),
        interactions: createInteractionsAdapter(),
        scripted: environment.demo ? createScriptedAdapter(scripts) : null,
      },
      publish: (delta) => relay.delta(delta),
    }),
    ...toolsWithBreakers(tools, breakers),
  };
}
