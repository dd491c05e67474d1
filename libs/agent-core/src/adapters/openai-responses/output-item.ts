import type { ProposedCall } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { memberTexts } from '../../shared/json-slices.js';
import { byteLength } from '../../shared/text.js';
import { LARGEST_ARGUMENTS } from '../wire/limits.js';
import { UnusableReply } from '../wire/reply-error.js';
import { asList, asObject, asText, type WireObject } from '../wire/wire-value.js';

/** One item of a response's output: as text, which goes back byte for byte, and as it is read. */
export interface OutputItem {
  readonly json: JsonText;
  readonly value: WireObject;
}

/** @throws SyntaxError where the text is no JSON. */
export function outputItem(json: JsonText): OutputItem {
  return { json, value: asObject(JSON.parse(json)) ?? {} };
}

/**
 * Whether an item asks for a tool of ours. A custom tool's call has free text for its arguments; we offer none, and a
 * model that calls one all the same is answered like any other.
 */
export function isCall({ value }: OutputItem): boolean {
  return value.type === 'function_call' || value.type === 'custom_tool_call';
}

/** @throws UnusableReply where the arguments are too large. */
export function proposedCall(item: OutputItem): ProposedCall {
  const { value } = item;
  const text = argumentsText(item);
  if (byteLength(text) > LARGEST_ARGUMENTS) {
    throw new UnusableReply('the arguments of a call are larger than 1 MiB');
  }
  return { providerCallId: asText(value.call_id) || null, tool: asText(value.name), arguments: text };
}

/** Where a server sends a value instead of its text, the value as it is written: nothing stands for no arguments. */
function argumentsText({ json, value }: OutputItem): string {
  const name = value.type === 'custom_tool_call' ? 'input' : 'arguments';
  const given = value[name] ?? '';
  return typeof given === 'string' ? given : (memberTexts(json).get(name) ?? '');
}

/** Whether the provider says itself that an item was cut. One `in_progress` may be whole: it waits for our result. */
export function isCutOff({ value }: OutputItem): boolean {
  return value.status === 'incomplete';
}

/** The visible words of a message; of the refusal in it, where `kind` asks for that. */
export function messageText({ value }: OutputItem, kind: 'output_text' | 'refusal'): string {
  if (value.type !== 'message') return '';
  const parts = asList(value.content).map((part) => asObject(part) ?? {});
  const words = parts.map((part) =>
    part.type === kind ? asText(kind === 'refusal' ? part.refusal : part.text) : '',
  );
  return words.join('');
}
