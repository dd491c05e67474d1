import type { ModelAdapter, ModelChoice, ModelPort } from '@countersign/agent-core';
import type { ResolveAccess } from '../catalog/provider-access.js';
import { providerFault, type WireApi, wireApiOf } from '../catalog/provider-support.js';
import type { PriceBook } from '../governance/price-book.js';
import { pricedModel } from '../governance/price-of-call.js';
import type { Delta } from '../platform/relay.js';
import type { EgressGuard } from '../tools/egress.js';

export interface ModelPortParts {
  readonly prices: Pick<PriceBook, 'find'>;
  readonly resolveAccess: ResolveAccess;
  readonly guard: Pick<EgressGuard, 'fetch'>;
  /** By wire API. `scripted` is null where this deployment is no demonstration. */
  readonly adapters: Readonly<Record<WireApi, ModelAdapter | null>>;
  readonly publish: (delta: Delta) => void;
}

/** The loop's door to models: finds adapter, price and key of a choice and encodes the request, or says what lacks. */
export function createModelPort(parts: ModelPortParts): ModelPort {
  return {
    prepare: async (tenant, choice, request) => {
      const spoken = spokenBy(parts, choice);
      if (typeof spoken === 'string') return unavailable(spoken);
      const { api, adapter } = spoken;
      const entry = await parts.prices.find(choice.provider, choice.model);
      if (entry === null) return unavailable(`The model ${choice.provider}/${choice.model} has no price.`);
      const maxOutputTokens = choice.maxOutputTokens ?? entry.maxOutputTokens;
      if (maxOutputTokens === null) return unavailable(`The model ${choice.model} needs maxOutputTokens.`);
      const resolution = await parts.resolveAccess(tenant, choice);
      if (resolution.type === 'missing') return unavailable(resolution.message);
      const { apiKey, baseUrl } = resolution.access;
      const access = { apiKey, baseUrl, fetch: parts.guard.fetch(tenant) };
      return {
        type: 'prepared',
        priced: pricedModel(choice, entry, maxOutputTokens),
        call: adapter.prepare({ ...request, choice, maxOutputTokens }, access),
        api,
        revision: adapter.revision,
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
