import type { ModelChoice } from '@countersign/agent-core';
import { Problem, type ProblemCode } from '../platform/problem.js';
import { modelPath } from './define-agent.js';
import type { ResolveAccess } from './provider-access.js';
import { providerFault } from './provider-support.js';

/** What must be known to say whether a tenant's agent can call a model. */
export interface ModelChecks {
  readonly findPrice: (
    provider: string,
    model: string,
  ) => Promise<{ readonly maxOutputTokens: number | null } | null>;
  readonly resolveAccess: ResolveAccess;
  /** True where the scripted provider is allowed. */
  readonly demo: boolean;
}

/**
 * Sees to it that an agent is saved only with models that could be called now.
 * @throws Problem provider_unavailable, model_unpriced, max_output_tokens_required, provider_key_missing.
 */
export async function checkModels(
  checks: ModelChecks,
  tenant: string,
  models: readonly ModelChoice[],
): Promise<void> {
  for (const [index, choice] of models.entries()) {
    const fault = await modelFault(checks, tenant, choice);
    if (fault !== null) {
      throw new Problem(fault.code, fault.detail, {
        errors: [{ path: modelPath(index) + fault.member, message: fault.detail }],
      });
    }
  }
}

interface ModelFault {
  readonly code: ProblemCode;
  readonly member: string;
  readonly detail: string;
}

async function modelFault(
  checks: ModelChecks,
  tenant: string,
  choice: ModelChoice,
): Promise<ModelFault | null> {
  const { provider, model } = choice;
  const unsupported = providerFault(choice, { demo: checks.demo });
  if (unsupported !== null) return { code: 'provider_unavailable', member: '/provider', detail: unsupported };
  const price = await checks.findPrice(provider, model);
  if (price === null) {
    return {
      code: 'model_unpriced',
      member: '/model',
      detail: `The model ${provider}/${model} has no price.`,
    };
  }
  if (choice.maxOutputTokens === undefined && price.maxOutputTokens === null) {
    const detail = `How long a reply of ${provider}/${model} may be is not known: say maxOutputTokens.`;
    return { code: 'max_output_tokens_required', member: '/maxOutputTokens', detail };
  }
  const access = await checks.resolveAccess(tenant, choice);
  return access.type === 'ok'
    ? null
    : { code: 'provider_key_missing', member: '/provider', detail: access.message };
}
