import type { BreakerPort, ToolInvocation, ToolOutcome, ToolPort } from '@countersign/agent-core';
import { toolBreaker } from '../governance/breakers/breaker-key.js';
import { healthOfTool } from '../governance/breakers/breaker-words.js';
import type { Breakers } from '../governance/breakers/breakers.js';

/** How long a probe may take besides its attempts: its check, and what the tool asks to be waited for. */
const BESIDE_ATTEMPTS_MS = 300_000;
/** Attempts of a `once` that the tool itself said it did not run; a probe of any other has one. */
const ATTEMPTS = 3;

/**
 * The door to tools with a circuit breaker before it for each tool of each tenant: what comes of calls, and of the
 * questions before them, is told to it. What this process computes itself has none.
 */
export function toolsWithBreakers(
  tools: ToolPort,
  breakers: Breakers,
): { readonly tools: ToolPort; readonly breakers: BreakerPort } {
  const tell = async (invocation: ToolInvocation, outcome: ToolOutcome, signal: AbortSignal) => {
    const key = keyOf(invocation);
    const health = signal.aborted ? ({ type: 'undecided' } as const) : healthOfTool(outcome);
    if (health.type === 'failed') await breakers.failed(key, health, invocation.call.id);
    else await breakers[health.type](key, invocation.call.id);
  };
  return {
    breakers: {
      openUntil: (tenant, tool) => breakers.openUntil(toolBreaker(tenant, tool)),
      admit: (invocation) => {
        const { tenant, runId, call, definition } = invocation;
        const longestMs = definition.timeoutMs * ATTEMPTS + BESIDE_ATTEMPTS_MS;
        return breakers.admit(keyOf(invocation), { tenant, runId, id: call.id }, longestMs);
      },
    },
    tools: {
      ...tools,
      prepare: async (invocation) => {
        const prepared = await tools.prepare(invocation);
        const key = keyOf(invocation);
        const { id } = invocation.call;
        return {
          ...prepared,
          execute: async (signal) => {
            // What is in trouble is not asked three times whether it is still.
            const outcome = await prepared.execute(signal, breakers.isProbe(key, id) ? 'single' : undefined);
            await tell(invocation, outcome, signal);
            return outcome;
          },
          check: async (signal) => {
            const facts = await prepared.check(signal);
            if (facts.type === 'unavailable' && !signal.aborted)
              await breakers.failed(key, { code: 'check_unavailable', retryAfterMs: null }, id);
            else if (facts.type !== 'ok') await breakers.undecided(key, id);
            return facts;
          },
        };
      },
    },
  };
}

function keyOf({ tenant, call }: ToolInvocation) {
  return toolBreaker(tenant, call.tool);
}
