import type { ModelRequest } from '../../../model/conversation.js';
import { wellFormed } from '../../../shared/text.js';
import { toldSchema } from '../../../tools/translate-schema/index.js';
import type { FunctionNames } from '../function-names.js';
import { stepTexts } from './input-steps.js';

/**
 * The JSON body of a streamed interaction (v1beta). Nothing is stored at Google: every request carries the whole
 * conversation, as a run may be continued by another model. It is written as text, so that an old turn costs no second
 * encoding, numbers keep their digits, and equal requests have equal bytes (prompt caches, digests).
 */
export function encodeInteraction(request: ModelRequest, names: FunctionNames): string {
  const { choice, instructions, conversation } = request;
  const fields = [
    field('model', choice.model),
    `"input":[${stepTexts(conversation, names).join(',')}]`,
    ...(instructions === '' ? [] : [field('system_instruction', wellFormed(instructions))]),
    ...(request.tools.length === 0 ? [] : [`"tools":[${toolTexts(request, names).join(',')}]`]),
    field('generation_config', generationConfig(request, names)),
    field('store', false),
    field('stream', true),
  ];
  return `{${fields.join(',')}}`;
}

function toolTexts({ tools }: ModelRequest, names: FunctionNames): readonly string[] {
  return tools.map(({ name, description, parameters }) => {
    const told = [
      field('type', 'function'),
      field('name', names.toWire(name)),
      field('description', wellFormed(description)),
      `"parameters":${toldSchema(parameters, 'google').parameters}`,
    ];
    return `{${told.join(',')}}`;
  });
}

function generationConfig(
  { choice, maxOutputTokens, tools, toolChoice }: ModelRequest,
  names: FunctionNames,
): unknown {
  const { temperature, reasoningEffort } = choice;
  const forced =
    typeof toolChoice === 'string'
      ? 'any'
      : { allowed_tools: { mode: 'any', tools: [names.toWire(toolChoice.tool)] } };
  return {
    max_output_tokens: maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
    ...(reasoningEffort !== undefined && { thinking_level: reasoningEffort.toLowerCase() }),
    ...(tools.length > 0 && toolChoice !== 'auto' && { tool_choice: forced }),
  };
}

function field(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
