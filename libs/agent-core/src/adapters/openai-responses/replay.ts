import type { ConversationItem, RawItem } from '../../model/conversation.js';
import type { ModelChoice } from '../../model/model-choice.js';
import type { JsonText } from '../../shared/brand.js';
import { elementTexts, memberTexts } from '../../shared/json-slices.js';
import { asList, asText } from '../wire/wire-value.js';
import { isCall, type OutputItem, outputItem } from './output-item.js';

/*
 * A reply's items in their order, each as raw text: reasoning counts only beside the message or the call that it led
 * to, and a message's phase only with the message.
 */

/** The wire API that this adapter speaks, as it stands in a `RawItem`. */
const API = 'responses';

/** What is kept of a reply for its replay; nothing where its text and its calls say it all. */
export function rawItems(
  items: readonly OutputItem[],
  provider: ModelChoice['provider'],
  server: string,
): readonly RawItem[] {
  if (items.every((item) => isCall(item) || isPlainMessage(item))) return [];
  const json = `{"server":${JSON.stringify(server)},"items":[${items.map(({ json }) => json).join(',')}]}`;
  return [{ provider, api: API, json: json as JsonText }];
}

function isPlainMessage({ value }: OutputItem): boolean {
  return value.type === 'message' && (value.phase ?? null) === null;
}

/**
 * The items of an assistant's turn that go back to this server as they came, and to no other (invariant I9); null
 * where there are none, or where they are not the calls of this turn.
 */
export function itemsToReplay(
  item: Extract<ConversationItem, { role: 'assistant' }>,
  server: string,
): readonly OutputItem[] | null {
  for (const raw of item.raw) {
    if (raw.api !== API) continue;
    const members = memberTexts(raw.json);
    if (members.get('server') !== JSON.stringify(server)) continue;
    const items = elementTexts(members.get('items') ?? ('[]' as JsonText)).map(outputItem);
    return items.filter(isCall).length === item.calls.length ? withoutLooseReasoning(items) : null;
  }
  return null;
}

/**
 * Without state at the provider, reasoning means something only with its content, encrypted or (open models) plain;
 * and it is refused where nothing follows that it led to.
 */
function withoutLooseReasoning(items: readonly OutputItem[]): readonly OutputItem[] {
  const kept = items.filter(({ value }) => {
    if (value.type !== 'reasoning') return true;
    return asText(value.encrypted_content) !== '' || asList(value.content).length > 0;
  });
  const last = kept.findLastIndex(({ value }) => value.type !== 'reasoning');
  return kept.slice(0, last + 1);
}
