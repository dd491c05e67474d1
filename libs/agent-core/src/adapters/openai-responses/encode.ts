import type { ModelRequest, ToolChoice, ToolSpecification } from '../../model/conversation.js';
import type { ModelChoice } from '../../model/model-choice.js';
import { toldSchema } from '../../tools/translate-schema/index.js';
import { dialectOf } from '../openai-shared/dialect.js';
import { itemText } from './item-text.js';

/**
 * The JSON body of a streamed response (POST /responses). Nothing is stored at the provider: its reasoning comes
 * encrypted and goes back. It is written as text, item by item, so that an old item costs no second encoding, equal
 * requests have equal bytes (prompt caches, digests), and raw items go back byte for byte. `server` as of `serverName`.
 */
export function encodeResponsesRequest(request: ModelRequest, server: string): string {
  const { choice, instructions } = request;
  const input = request.conversation.map((item) => itemText(item, server)).filter((text) => text !== '');
  const fields = [
    field('model', choice.model),
    ...(instructions === '' ? [] : [field('instructions', instructions)]),
    `"input":[${input.join(',')}]`,
    ...toolFields(request),
    field('max_output_tokens', request.maxOutputTokens),
    ...(choice.temperature === undefined ? [] : [field('temperature', choice.temperature)]),
    ...(choice.reasoningEffort === undefined ? [] : [field('reasoning', { effort: choice.reasoningEffort })]),
    ...(hasEncryptedReasoning(choice) ? [field('include', ['reasoning.encrypted_content'])] : []),
    field('store', false),
    field('stream', true),
  ];
  return `{${fields.join(',')}}`;
}

/** Models that do not reason refuse to be asked for it, and other servers know no encryption. */
function hasEncryptedReasoning({ provider, model }: ModelChoice): boolean {
  return provider === 'openai' && !/(^|[/:])(gpt-3|gpt-4|chatgpt-)|gpt-5-chat/.test(model);
}

/** Both fields are refused beside an empty list of tools. */
function toolFields(request: ModelRequest): readonly string[] {
  if (request.tools.length === 0) return [];
  const tools = request.tools.map((tool) => toolText(tool, request.choice.provider));
  return [`"tools":[${tools.join(',')}]`, field('tool_choice', wireToolChoice(request.toolChoice))];
}

/** Strict is what this API takes for granted where nothing is said. */
function toolText(tool: ToolSpecification, provider: ModelChoice['provider']): string {
  const { parameters, strict } = toldSchema(tool.parameters, dialectOf(provider));
  const fields = [
    field('type', 'function'),
    field('name', tool.name),
    field('description', tool.description),
    `"parameters":${parameters}`,
    field('strict', strict),
  ];
  return `{${fields.join(',')}}`;
}

function wireToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.tool };
}

function field(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
