import type { ModelAdapter, ModelChoice, ModelPort } from '@countersign/agent-core';
import type { ResolveAccess } from '../catalog/provider-access.js';
import { providerFault, wireApiOf } from '../catalog/provider-support.js';
import type { PriceBook } from '../governance/price-book.js';
import { pricedModel } from '../governance/price-of-call.js';
import type { Delta } from '../platform/relay.js';
import type { EgressGuard } from '../tools/egress.js';

export interface ModelPortParts {
  readonly prices: Pick<PriceBook, 'find'>;
  readonly resolveAccess: ResolveAccess;
  readonly guard: Pick<EgressGuard, 'fetch'>;
  /** By wire API. `scripted` is null where this deployment is no demonstration. */
  readonly adapters: { readonly chat: ModelAdapter; readonly scripted: ModelAdapter | null };
  readonly publish: (delta: Delta) => void;
}

/** The loop's door to models: finds adapter, price and key of a choice and encodes the request, or says what lacks. */
export function createModelPort(parts: ModelPortParts): ModelPort {
  return {
    prepare: async (tenant, choice, request) => {
      const adapter = adapterOf(parts, choice);
      if (typeof adapter === 'string') return unavailable(adapter);
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
        api: wireApiOf(choice) ?? '',
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

/** The adapter of a choice, or why there is none. */
function adapterOf(parts: ModelPortParts, choice: ModelChoice): ModelAdapter | string {
  const fault = providerFault(choice, { demo: parts.adapters.scripted !== null });
  if (fault !== null) return fault;
  const adapter = choice.provider === 'scripted' ? parts.adapters.scripted : parts.adapters.chat;
  return adapter ?? 'The provider is not available here.';
}

function unavailable(message: string) {
  return { type: 'unavailable', message } as const;
}
