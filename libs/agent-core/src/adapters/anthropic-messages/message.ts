import type { ConversationItem } from '../../model/conversation.js';
import { encodeOnce } from '../../model/encode-once.js';
import type { JsonText } from '../../shared/brand.js';
import { writeJson } from '../../shared/canonical-json.js';
import { memberTexts } from '../../shared/json-slices.js';
import { wellFormed } from '../../shared/text.js';
import { argumentsValue } from '../wire/arguments-value.js';
import { wireArguments, wireCallId, wireName } from '../wire/wire-call.js';
import { type Place, placesOf } from './replay.js';

type Assistant = Extract<ConversationItem, { role: 'assistant' }>;

const CALL_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** Stands for a text without a visible character, which is refused. */
const BLANK = '(empty)';

/** The blocks of an item as JSON texts with commas between, for this server; empty where there is nothing to say. */
export const blocksText = encodeOnce((item: ConversationItem, server: string): string => {
  switch (item.role) {
    case 'user':
      return textBlock(isBlank(item.text) ? BLANK : item.text);
    case 'tool':
      return resultBlock(item);
    case 'assistant':
      return assistantBlocks(item, server).join(',');
  }
});

/**
 * Whether an assistant's message begins with thinking: where a budget of thinking is set, the messages since the last
 * word of the user must, or the request is refused.
 */
export function beginsWithThinking(item: Assistant, server: string): boolean {
  const [first] = placesOf(item, server);
  return first?.type === 'raw' && isReplayable(first.json) && THINKING.has(typeOf(first.json));
}

/** Whether the reply stopped in the middle of the provider's own work, and goes on from there. */
export function isPaused(item: Assistant, server: string): boolean {
  const last = placesOf(item, server).at(-1);
  return last?.type === 'raw' && !THINKING.has(typeOf(last.json));
}

/** A text block. A lone surrogate, which Anthropic takes for broken JSON, goes out as the replacement character. */
export function textBlock(text: string): string {
  return `{"type":"text","text":${JSON.stringify(wellFormed(text))}}`;
}

function resultBlock({ callId, text, isError }: Extract<ConversationItem, { role: 'tool' }>): string {
  return JSON.stringify({
    type: 'tool_result',
    tool_use_id: wireCallId(callId, CALL_ID),
    ...(!isBlank(text) && { content: wellFormed(text) }),
    ...(isError && { is_error: true }),
  });
}

/** No message may end with thinking: what is left of a reply that was cut there ends before it. */
function assistantBlocks(item: Assistant, server: string): readonly string[] {
  let at = 0;
  const blocks = placesOf(item, server).map((place) => {
    const start = at;
    if (place.type === 'text') at += place.length;
    const isThinking = place.type === 'raw' && THINKING.has(typeOf(place.json));
    return { isThinking, text: placeText(place, item, item.text.slice(start, at)) };
  });
  const written = blocks.filter(({ text }) => text !== '');
  const lastWord = written.findLastIndex(({ isThinking }) => !isThinking);
  return written.slice(0, lastWord + 1).map(({ text }) => text);
}

function placeText(place: Place, item: Assistant, text: string): string {
  if (place.type === 'raw') return isReplayable(place.json) ? place.json : '';
  if (place.type === 'text') return isBlank(text) ? '' : textBlock(text);
  const call = item.calls[place.index];
  if (call === undefined) return '';
  const id = JSON.stringify(wireCallId(call.callId, CALL_ID));
  const name = JSON.stringify(wireName(call.tool));
  return `{"type":"tool_use","id":${id},"name":${name},"input":${inputText(call.arguments)}}`;
}

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** The text as the model wrote it, save where it may hold a lone surrogate. */
function inputText(text: string): string {
  const written = wireArguments(text);
  return ESCAPED_SURROGATE.test(written) ? writeJson(argumentsValue(text)) : written;
}

const THINKING: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

/** Thinking that was cut off has no signature yet and is refused; with one it counts, however empty it looks. */
function isReplayable(json: JsonText): boolean {
  return typeOf(json) !== 'thinking' || (memberTexts(json).get('signature') ?? '""').length > 2;
}

function typeOf(json: JsonText): string {
  return String(JSON.parse(memberTexts(json).get('type') ?? '""'));
}

/** As Anthropic sees it: no character other than white space. */
function isBlank(text: string): boolean {
  return text.trim() === '';
}
