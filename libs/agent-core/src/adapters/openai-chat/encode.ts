import type { ModelRequest, ToolChoice, ToolSpecification } from '../../model/conversation.js';
import type { ModelChoice } from '../../model/model-choice.js';
import { toldSchema } from '../../tools/translate-schema/index.js';
import { dialectOf } from '../openai-shared/dialect.js';
import { messageText } from './message.js';

/**
 * The JSON body of a streamed chat completion (POST /chat/completions). It is written as text, message by message, so
 * that an old message costs no second encoding and equal requests have equal bytes (prompt caches, digests). Lone
 * surrogates and NUL leave as escapes (invariant I12). `server` as of `serverName`.
 */
export function encodeChatRequest(request: ModelRequest, server: string): string {
  const { choice } = request;
  const fields = [
    field('model', choice.model),
    `"messages":[${messages(request, server).join(',')}]`,
    ...toolFields(request),
    field(outputLimitName(choice.provider), request.maxOutputTokens),
    ...(choice.temperature === undefined ? [] : [field('temperature', choice.temperature)]),
    ...(choice.reasoningEffort === undefined ? [] : [field('reasoning_effort', choice.reasoningEffort)]),
    field('stream', true),
    field('stream_options', { include_usage: true }),
  ];
  return `{${fields.join(',')}}`;
}

/**
 * OpenAI's reasoning models refuse `max_tokens`. Everybody else's servers know `max_tokens`; some pass over
 * `max_completion_tokens` (the bound that admission relies on would be gone) and some refuse it.
 */
function outputLimitName(provider: ModelChoice['provider']): string {
  return provider === 'openai' ? 'max_completion_tokens' : 'max_tokens';
}

function messages(request: ModelRequest, server: string): readonly string[] {
  const texts = request.conversation.map((item) => messageText(item, server)).filter((text) => text !== '');
  if (request.instructions === '') return texts;
  return [JSON.stringify({ role: 'system', content: request.instructions }), ...texts];
}

/** Both fields are refused beside an empty list of tools. */
function toolFields(request: ModelRequest): readonly string[] {
  if (request.tools.length === 0) return [];
  const tools = request.tools.map((tool) => toolText(tool, request.choice.provider));
  return [`"tools":[${tools.join(',')}]`, field('tool_choice', wireToolChoice(request.toolChoice))];
}

function toolText(tool: ToolSpecification, provider: ModelChoice['provider']): string {
  const { parameters, strict } = toldSchema(tool.parameters, dialectOf(provider));
  const told = [
    field('name', tool.name),
    field('description', tool.description),
    `"parameters":${parameters}`,
    // Servers other than OpenAI's may not know the word.
    ...(strict ? [field('strict', true)] : []),
  ];
  return `{"type":"function","function":{${told.join(',')}}}`;
}

function wireToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.tool } };
}

function field(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
