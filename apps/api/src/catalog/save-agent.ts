import { type ModelChoice, specificationOf, type ToolDefinition, untellable } from '@countersign/agent-core';
import type { AgentCreate, AgentPut } from '@countersign/contracts';
import { newId } from '../platform/ids.js';
import { invalidContent, notFound, Problem } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import type { AgentRepository, StoredAgent } from './agent.repository.js';
import { checkModels, type ModelChecks } from './check-models.js';
import { defineAgent } from './define-agent.js';
import type { ToolRepository } from './tool.repository.js';

export interface SaveAgentDependencies {
  readonly agents: Pick<AgentRepository, 'create' | 'addVersion'>;
  readonly tools: Pick<ToolRepository, 'currentDefinitions'>;
  readonly models: ModelChecks;
}

/** Registers an agent. @throws Problem already_exists, or what defineAgent, checkModels and its tools refuse. */
export async function createAgent(
  dependencies: SaveAgentDependencies,
  { tenant }: Pick<TenantScope, 'tenant'>,
  { name, ...input }: AgentCreate,
): Promise<StoredAgent> {
  await check(dependencies, tenant, name, input);
  const created = await dependencies.agents.create(tenant, { id: newId('agt'), name }, (version) =>
    defineAgent(name, version, input),
  );
  if (created !== null) return created;
  throw new Problem('already_exists', `There is an agent "${name}": PUT makes a new version of it.`);
}

/** Makes an agent's next version. Runs under way keep theirs. @throws Problem not_found, and as createAgent. */
export async function replaceAgent(
  dependencies: SaveAgentDependencies,
  { tenant }: Pick<TenantScope, 'tenant'>,
  name: string,
  input: AgentPut,
): Promise<StoredAgent> {
  await check(dependencies, tenant, name, input);
  const saved = await dependencies.agents.addVersion(tenant, name, (version) =>
    defineAgent(name, version, input),
  );
  if (saved !== null) return saved;
  throw notFound('agent');
}

async function check(
  { tools, models }: SaveAgentDependencies,
  tenant: string,
  name: string,
  input: AgentPut,
): Promise<void> {
  const definition = defineAgent(name, 1, input);
  const known = await tools.currentDefinitions(tenant, definition.tools);
  const faults = definition.tools.flatMap((tool, index) => {
    const found = known.get(tool);
    const messages = found === undefined ? [`there is no tool "${tool}"`] : untold(found, definition.models);
    return messages.map((message) => ({ path: `/tools/${index}`, message }));
  });
  if (faults.length > 0) throw invalidContent(...faults);
  await checkModels(models, tenant, definition.models);
}

/** What keeps a tool from being told to one of the models' providers, in sentences. */
function untold(tool: ToolDefinition, models: readonly ModelChoice[]): readonly string[] {
  const { parameters } = specificationOf(tool);
  const providers = new Set(models.map(({ provider }) => provider));
  return [...providers].flatMap((provider) =>
    provider === 'scripted'
      ? []
      : untellable(parameters, provider).map(
          ({ path, message }) => `${provider} cannot be told of it: ${path} ${message}`,
        ),
  );
}
