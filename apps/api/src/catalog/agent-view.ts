import { shownRules } from '../platform/policy-input.js';
import type { StoredAgent } from './agent.repository.js';
import { warningsOf } from './define-agent.js';

/** One version of an agent as answers show it. */
export function agentView({ id, definition, createdAt }: StoredAgent): object {
  const { models, perRunUsd, policy, ...rest } = definition;
  const [model, ...fallbacks] = models;
  return {
    id,
    ...rest,
    model,
    fallbacks,
    budget: perRunUsd === null ? null : { perRunUsd },
    policy: shownRules(policy),
    createdAt,
    warnings: warningsOf(definition),
  };
}
