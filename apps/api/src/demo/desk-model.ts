import type { ModelChoice } from '@countersign/agent-core';
import { agentPut } from '@countersign/contracts';
import { DESK_SCRIPT, type DemoTenant, type ExampleModel } from '@countersign/examples';
import { defineAgent } from '../catalog/define-agent.js';
import { providerFault } from '../catalog/provider-support.js';
import { replaceAgent } from '../catalog/save-agent.js';
import type { Environment } from '../platform/env.js';
import { parseContent } from '../platform/parse.js';
import { asBody, type SeedParts } from './seed-parts.js';

/** What a desk answers with where the environment has this provider's key: small models that call tools well. */
const REAL_MODELS: readonly (ExampleModel & { readonly provider: 'openai' | 'anthropic' | 'google' })[] = [
  { provider: 'openai', model: 'gpt-4.1-mini', maxOutputTokens: 1_024 },
  { provider: 'anthropic', model: 'claude-haiku-4-5', maxOutputTokens: 1_024 },
  { provider: 'google', model: 'gemini-2.5-flash', maxOutputTokens: 1_024 },
];

/** The first provider that has a key and that this build speaks to; else the script. */
function wantedModel({ providers }: Environment): ExampleModel {
  const real = REAL_MODELS.find(
    (model) =>
      providers[model.provider].apiKey !== null &&
      providerFault(model as ModelChoice, { demo: true }) === null,
  );
  return real ?? DESK_SCRIPT;
}

/**
 * Makes a new version of a desk where the keys of this start ask for another model than it has. A desk that somebody
 * has changed stays as it is.
 */
export async function setDeskModel(
  { environment, agents, savingOfAgents }: SeedParts,
  tenant: string,
  desk: DemoTenant['desk'],
): Promise<void> {
  const wanted = wantedModel(environment);
  const { name, ...definition } = desk(wanted);
  const current = await agents.find(tenant, name);
  if (current === null) return;
  const now = JSON.stringify(current.definition);
  const isNow = (model: ExampleModel): boolean => {
    const { name: _, ...body } = desk(model);
    const made = defineAgent(name, current.definition.version, parseContent(agentPut, asBody(body)));
    return JSON.stringify(made) === now;
  };
  if (isNow(wanted) || ![DESK_SCRIPT, ...REAL_MODELS].some(isNow)) return;
  await replaceAgent(savingOfAgents, { tenant }, name, parseContent(agentPut, asBody(definition)));
}
