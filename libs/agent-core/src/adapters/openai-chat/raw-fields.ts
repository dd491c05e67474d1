import type { ConversationItem, RawItem } from '../../model/conversation.js';
import type { ModelChoice } from '../../model/model-choice.js';
import type { JsonText } from '../../shared/brand.js';
import { asList, asObject, type WireObject } from '../wire/wire-value.js';

/**
 * What a server writes beside text and calls and wants to see again: reasoning with its signatures (DeepSeek, vLLM,
 * OpenRouter, LiteLLM) and Google's thought signatures. All else a server adds stays out: strict ones refuse it.
 */
const MESSAGE_FIELDS = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking_blocks',
  'extra_content',
];
const CALL_FIELDS = ['extra_content'];

/** Fields whose words are repeated with every piece instead of being continued. */
const NAMING_FIELDS = new Set(['id', 'type', 'format', 'index']);

/** The wire API that this adapter speaks, as it stands in a `RawItem`. */
const API = 'chat';

/** Gathers these fields from a streamed reply, or from a whole one in a single piece. */
export class RawFields {
  private message: WireObject = {};
  private readonly calls = new Map<number, WireObject>();

  addMessage(delta: WireObject): void {
    this.message = merge(this.message, pick(delta, MESSAGE_FIELDS));
  }

  addCall(index: number, fragment: WireObject): void {
    const picked = pick(fragment, CALL_FIELDS);
    if (Object.keys(picked).length > 0) this.calls.set(index, merge(this.calls.get(index) ?? {}, picked));
  }

  /** `positions` are those of the calls that the reply keeps, in its order. */
  items(provider: ModelChoice['provider'], server: string, positions: readonly number[]): readonly RawItem[] {
    const calls = positions.map((position) => this.calls.get(position) ?? {});
    const isEmpty = [this.message, ...calls].every((fields) => Object.keys(fields).length === 0);
    if (isEmpty) return [];
    const json = JSON.stringify({ server, message: this.message, calls });
    return [{ provider, api: API, json: json as JsonText }];
  }
}

/** The fields of an assistant's item that go back to this server, and to no other: invariant I9. */
export function fieldsToReplay(
  item: Extract<ConversationItem, { role: 'assistant' }>,
  server: string,
): { readonly message: WireObject; readonly calls: readonly unknown[] } {
  for (const raw of item.raw) {
    const stored = raw.api === API ? asObject(JSON.parse(raw.json)) : null;
    if (stored?.server === server) {
      return { message: asObject(stored.message) ?? {}, calls: asList(stored.calls) };
    }
  }
  return { message: {}, calls: [] };
}

function pick(source: WireObject, names: readonly string[]): WireObject {
  const found = names.filter(
    (name) => source[name] !== undefined && source[name] !== null && source[name] !== '',
  );
  return Object.fromEntries(found.map((name) => [name, source[name]]));
}

function merge(before: WireObject, piece: WireObject): WireObject {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(piece)) merged[name] = mergeValue(name, merged[name], value);
  return merged;
}

/** Texts continue, lists grow, objects are merged; entries of a list that share an `index` and `type` are one. */
function mergeValue(name: string, before: unknown, piece: unknown): unknown {
  if (before === undefined || before === null) return piece;
  if (piece === undefined || piece === null) return before;
  if (typeof before === 'string' && typeof piece === 'string') {
    return NAMING_FIELDS.has(name) ? piece : before + piece;
  }
  if (Array.isArray(before) && Array.isArray(piece)) return piece.reduce(appendEntry, before);
  const [left, right] = [asObject(before), asObject(piece)];
  return left !== null && right !== null ? merge(left, right) : piece;
}

function appendEntry(list: readonly unknown[], entry: unknown): readonly unknown[] {
  const [last, next] = [asObject(list.at(-1)), asObject(entry)];
  const continues =
    last !== null &&
    next !== null &&
    typeof next.index === 'number' &&
    last.index === next.index &&
    last.type === next.type;
  return continues ? [...list.slice(0, -1), merge(last, next)] : [...list, entry];
}
