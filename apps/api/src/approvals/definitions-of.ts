import type { AgentDefinition, Run, ToolCall, ToolDefinition } from '@countersign/agent-core';
import type { DefinitionCatalog } from '../catalog/definitions.js';

/**
 * The agent and the tool that a run began with.
 * @throws Error where they are gone: versions are never deleted, so that is a mistake of ours.
 */
export async function definitionsOf(
  catalog: Pick<DefinitionCatalog, 'load'>,
  run: Run,
  call: ToolCall,
): Promise<{ readonly agent: AgentDefinition; readonly definition: ToolDefinition }> {
  const definitions = await catalog.load(run.tenant, run.agent.name, run.agent.version, run.toolVersions);
  const definition = definitions?.tools.get(call.tool);
  if (definitions === null || definition === undefined) {
    throw new Error(`run ${run.id} lost a definition that it began with`);
  }
  return { agent: definitions.agent, definition };
}
