import type { Environment } from '../platform/env.js';
import { BUILTIN_HANDLERS } from '../tools/builtin-tools.js';
import type { AgentRepository } from './agent.repository.js';
import type { ModelChecks } from './check-models.js';
import type { CredentialRepository } from './credential.repository.js';
import { createResolveAccess } from './provider-access.js';
import type { SaveAgentDependencies } from './save-agent.js';
import type { SaveToolDependencies } from './save-tool.js';
import type { ToolRepository } from './tool.repository.js';

/** What saving a tool needs, from the parts of a process. */
export function savingTools(tools: ToolRepository, { secret }: Environment): SaveToolDependencies {
  return { tools, secret, handlers: new Set(Object.keys(BUILTIN_HANDLERS)) };
}

/** What saving an agent needs, from the parts of a process. */
export function savingAgents(
  agents: AgentRepository,
  tools: ToolRepository,
  credentials: CredentialRepository,
  findPrice: ModelChecks['findPrice'],
  environment: Environment,
): SaveAgentDependencies {
  const resolveAccess = createResolveAccess({
    findCredential: (tenant, provider) => credentials.find(tenant, provider),
    mayUseDeploymentKeys: (tenant) => credentials.mayUseDeploymentKeys(tenant),
    deployment: environment.providers,
    secret: environment.secret,
  });
  return { agents, tools, models: { findPrice, resolveAccess, demo: environment.demo } };
}
