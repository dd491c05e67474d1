import type {
  ConversationItem,
  ModelRequest,
  ToolChoice,
  ToolSpecification,
} from '../../model/conversation.js';
import { wellFormed } from '../../shared/text.js';
import { toldSchema } from '../../tools/translate-schema/index.js';
import { beginsWithThinking, blocksText, isPaused, textBlock } from './message.js';
import { thinkingOf } from './thinking.js';

/**
 * The JSON body of a streamed message (POST /v1/messages). It is written as text, block by block, so that an old
 * message costs no second encoding, equal requests have equal bytes (prompt caches, digests), and what only Anthropic
 * understands goes back byte for byte. `server` as of `serverName`.
 */
export function encodeMessagesRequest(request: ModelRequest, server: string): string {
  const { choice, instructions } = request;
  const fields = [
    field('model', choice.model),
    field('max_tokens', request.maxOutputTokens),
    ...(instructions.trim() === '' ? [] : [`"system":[${cached(textBlock(instructions), request)}]`]),
    ...toolFields(request),
    ...thinkingFields(request, server),
    `"messages":[${messages(request, server).join(',')}]`,
    field('stream', true),
  ];
  return `{${fields.join(',')}}`;
}

interface Message {
  readonly role: 'user' | 'assistant';
  readonly blocks: string[];
}

/**
 * Messages of alternating roles: results of tools stand in the user's message, before its text, as the history has
 * them. It begins and ends with the user; only a paused reply stays last, to be gone on with.
 */
function messages(request: ModelRequest, server: string): readonly string[] {
  const { conversation } = request;
  const found: Message[] = [];
  for (const item of conversation)
    add(found, item.role === 'assistant' ? 'assistant' : 'user', blocksText(item, server));
  if (found[0]?.role === 'assistant') found.unshift({ role: 'user', blocks: [textBlock('(no message)')] });
  const last = conversation.at(-1);
  const isHanging = found.at(-1)?.role === 'assistant';
  if (isHanging && !(last?.role === 'assistant' && isPaused(last, server))) {
    add(found, 'user', textBlock('Continue.'));
  }
  const newest = found.at(-1);
  if (newest?.role === 'user') newest.blocks.push(cached(newest.blocks.pop() ?? '', request));
  return found.map(({ role, blocks }) => `{"role":"${role}","content":[${blocks.join(',')}]}`);
}

/**
 * The block that these end with, marked as the end of a prefix to be cached. An agent with tools sends its instructions
 * and its history again with every turn: reading them back costs a tenth. Without tools there is no next turn.
 */
function cached(blocks: string, { tools }: ModelRequest): string {
  return tools.length === 0 ? blocks : `${blocks.slice(0, -1)},"cache_control":{"type":"ephemeral"}}`;
}

function add(found: Message[], role: Message['role'], blocks: string): void {
  if (blocks === '') return;
  const last = found.at(-1);
  if (last?.role === role) last.blocks.push(blocks);
  else found.push({ role, blocks: [blocks] });
}

/** A choice is refused beside an empty list of tools. */
function toolFields(request: ModelRequest): readonly string[] {
  if (request.tools.length === 0) return [];
  return [
    `"tools":[${request.tools.map(toolText).join(',')}]`,
    field('tool_choice', wireToolChoice(request.toolChoice)),
  ];
}

function toolText(tool: ToolSpecification): string {
  const { parameters } = toldSchema(tool.parameters, 'anthropic');
  return `{${field('name', tool.name)},${field('description', wellFormed(tool.description))},"input_schema":${parameters}}`;
}

function wireToolChoice(choice: ToolChoice): unknown {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.tool };
  return { type: choice === 'required' ? 'any' : 'auto' };
}

/** A temperature is refused beside thinking. */
function thinkingFields(request: ModelRequest, server: string): readonly string[] {
  const thinking = thinkingOf(request, canContinueThinking(request.conversation, server));
  const { temperature } = request.choice;
  switch (thinking.type) {
    case 'none':
      return temperature === undefined ? [] : [field('temperature', temperature)];
    case 'adaptive':
      return [field('thinking', { type: 'adaptive' }), field('output_config', { effort: thinking.effort })];
    case 'budget':
      return [field('thinking', { type: 'enabled', budget_tokens: thinking.tokens })];
  }
}

function canContinueThinking(conversation: readonly ConversationItem[], server: string): boolean {
  const lastWord = conversation.findLastIndex((item) => item.role === 'user');
  return conversation
    .slice(lastWord + 1)
    .every((item) => item.role !== 'assistant' || beginsWithThinking(item, server));
}

function field(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
