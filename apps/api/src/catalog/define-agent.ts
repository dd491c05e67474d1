import { type AgentDefinition, DEFAULT_RUN_LIMITS, type ModelChoice } from '@countersign/agent-core';
import type { AgentPut } from '@countersign/contracts';
import { policyRulesFrom } from '../platform/policy-input.js';
import { type FieldError, invalidContent } from '../platform/problem.js';

/** Wire APIs by provider; the first is taken where an agent names none. */
const APIS: Readonly<Record<ModelChoice['provider'], readonly string[]>> = {
  openai: ['responses', 'chat'],
  'openai-compatible': ['chat', 'responses'],
  anthropic: ['messages'],
  google: ['generateContent', 'interactions'],
  scripted: [],
};

const MANY_TOOLS = 20;

/**
 * An agent as a request brings it, checked as far as that goes without looking at the tenant, and with every default
 * filled in (CONTRACT, Agents).
 * @throws Problem invalid_content.
 */
export function defineAgent(name: string, version: number, input: AgentPut): AgentDefinition {
  const errors = [...toolErrors(input), ...modelErrors(input)];
  if (errors.length > 0) throw invalidContent(...errors);
  return {
    name,
    version,
    instructions: input.instructions,
    models: [input.model, ...(input.fallbacks ?? [])],
    tools: input.tools,
    toolChoice: input.toolChoice ?? 'auto',
    limits: { ...DEFAULT_RUN_LIMITS, ...input.limits },
    perRunUsd: input.budget?.perRunUsd ?? null,
    policy: policyRulesFrom(input.policy ?? [], '/policy'),
  };
}

/** What is allowed and yet worth a thought. */
export function warningsOf(definition: AgentDefinition): readonly string[] {
  if (definition.tools.length < MANY_TOOLS) return [];
  return [
    `The agent has ${definition.tools.length} tools: from ${MANY_TOOLS} on models choose worse, and every request carries all of them.`,
  ];
}

/** Where the models of an agent stand in its body, in the order of AgentDefinition.models. */
export function modelPath(index: number): string {
  return index === 0 ? '/model' : `/fallbacks/${index - 1}`;
}

function toolErrors({ tools, toolChoice }: AgentPut): readonly FieldError[] {
  const errors: FieldError[] = tools.flatMap((tool, index) =>
    tools.indexOf(tool) === index ? [] : [{ path: `/tools/${index}`, message: `${tool} is named twice` }],
  );
  if (toolChoice === 'required' && tools.length === 0) {
    errors.push({ path: '/toolChoice', message: 'the agent has no tools' });
  }
  if (typeof toolChoice === 'object' && !tools.includes(toolChoice.tool)) {
    errors.push({ path: '/toolChoice/tool', message: `${toolChoice.tool} is none of the agent's tools` });
  }
  return errors;
}

function modelErrors({ model, fallbacks }: AgentPut): readonly FieldError[] {
  return [model, ...(fallbacks ?? [])].flatMap((choice, index) => {
    const apis = APIS[choice.provider];
    if (choice.api === undefined || apis.includes(choice.api)) return [];
    const message =
      apis.length === 0 ? `${choice.provider} takes none` : `${choice.provider} takes ${apis.join(', ')}`;
    return [{ path: `${modelPath(index)}/api`, message }];
  });
}
