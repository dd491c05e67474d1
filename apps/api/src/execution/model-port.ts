import type { ModelAdapter, ModelBreaker, ModelChoice, ModelPort } from '@countersign/agent-core';
import type { ResolveAccess } from '../catalog/provider-access.js';
import { providerFault, type WireApi, wireApiOf } from '../catalog/provider-support.js';
import type { BreakerCaller } from '../governance/breakers/breaker.repository.js';
import { type BreakerKey, providerBreaker } from '../governance/breakers/breaker-key.js';
import { healthOfProvider } from '../governance/breakers/breaker-words.js';
import type { Breakers } from '../governance/breakers/breakers.js';
import type { PriceBook } from '../governance/price-book.js';
import { pricedModel } from '../governance/price-of-call.js';
import type { Delta } from '../platform/relay.js';
import type { EgressGuard } from '../tools/egress.js';

export interface ModelPortParts {
  readonly prices: Pick<PriceBook, 'find'>;
  readonly resolveAccess: ResolveAccess;
  readonly guard: Pick<EgressGuard, 'fetch'>;
  readonly breakers: Breakers;
  /** By wire API. `scripted` is null where this deployment is no demonstration. */
  readonly adapters: Readonly<Record<WireApi, ModelAdapter | null>>;
  readonly publish: (delta: Delta) => void;
}

/** A probe holds its breaker for no longer than this: the longest call, and the commits around it. */
const LONGEST_PROBE_MS = 660_000;

/**
 * The loop's door to models: finds adapter, price and key of a choice and encodes the request, or says what lacks, or
 * that the circuit breaker of that model, address and credential is open.
 */
export function createModelPort(parts: ModelPortParts): ModelPort {
  return {
    prepare: async ({ tenant, id: runId }, choice, request) => {
      const spoken = spokenBy(parts, choice);
      if (typeof spoken === 'string') return unavailable(spoken);
      const { api, adapter } = spoken;
      const entry = await parts.prices.find(choice.provider, choice.model);
      if (entry === null) return unavailable(`The model ${choice.provider}/${choice.model} has no price.`);
      const maxOutputTokens = choice.maxOutputTokens ?? entry.maxOutputTokens;
      if (maxOutputTokens === null) return unavailable(`The model ${choice.model} needs maxOutputTokens.`);
      const resolution = await parts.resolveAccess(tenant, choice);
      if (resolution.type === 'missing') return unavailable(resolution.message);
      const { apiKey, baseUrl, owner } = resolution.access;
      const { provider, model } = choice;
      const key = providerBreaker({ tenant, credential: owner }, { provider, model, baseUrl });
      const until = await parts.breakers.openUntil(key);
      if (until !== null) return { type: 'held_back', until };
      const access = { apiKey, baseUrl, fetch: parts.guard.fetch(tenant) };
      return {
        type: 'prepared',
        priced: pricedModel(choice, entry, maxOutputTokens),
        call: adapter.prepare({ ...request, choice, maxOutputTokens }, access),
        api,
        revision: adapter.revision,
        breaker: modelBreaker(parts.breakers, key, { tenant, runId, id: runId }),
      };
    },
    publishDelta: (run, event) => {
      const place = { tenant: run.tenant, runId: run.id, turn: run.turns.length + 1 };
      const news =
        event.type === 'text_delta' ? { text: event.text } : { index: event.index, tool: event.tool };
      parts.publish({ ...place, ...news });
    },
  };
}

function modelBreaker(breakers: Breakers, key: BreakerKey, caller: BreakerCaller): ModelBreaker {
  return {
    admit: () => breakers.admit(key, caller, LONGEST_PROBE_MS),
    report: async (failure) => {
      const health = healthOfProvider(failure);
      if (health.type === 'failed') return breakers.failed(key, health, caller.id);
      await breakers[health.type](key, caller.id);
      return null;
    },
  };
}

/** The wire API of a choice with its adapter, or why there is none. */
function spokenBy(
  { adapters }: ModelPortParts,
  choice: ModelChoice,
): { readonly api: WireApi; readonly adapter: ModelAdapter } | string {
  const fault = providerFault(choice, { demo: adapters.scripted !== null });
  if (fault !== null) return fault;
  const api = wireApiOf(choice);
  const adapter = api === null ? null : adapters[api];
  return api === null || adapter === null ? 'The provider is not available here.' : { api, adapter };
}

function unavailable(message: string) {
  return { type: 'unavailable', message } as const;
}
