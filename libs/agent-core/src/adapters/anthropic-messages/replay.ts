import type { ConversationItem, RawItem } from '../../model/conversation.js';
import type { ModelChoice } from '../../model/model-choice.js';
import type { JsonText } from '../../shared/brand.js';
import { elementTexts, memberTexts } from '../../shared/json-slices.js';
import type { ContentBlock } from './content-block.js';

/*
 * A reply's blocks in their order: thinking and whatever else only Anthropic understands as raw text, and between them
 * the places of its text and its calls, which stand in the history already.
 */

/** The wire API that this adapter speaks, as it stands in a `RawItem`. */
const API = 'messages';

type Assistant = Extract<ConversationItem, { role: 'assistant' }>;

/** A block's place: so many UTF-16 units of the text, the call with this number, or a raw block. */
export type Place =
  | { readonly type: 'text'; readonly length: number }
  | { readonly type: 'call'; readonly index: number }
  | { readonly type: 'raw'; readonly json: JsonText };

/** What is kept of a reply for its replay; nothing where text and calls say it all. */
export function rawItems(
  blocks: readonly ContentBlock[],
  provider: ModelChoice['provider'],
  server: string,
): readonly RawItem[] {
  let calls = 0;
  const places = blocks.map((block) => {
    if (block.type === 'text') return `{"text":${block.text.length}}`;
    if (!block.isCall) return `{"raw":${block.rawText()}}`;
    calls += 1;
    return `{"call":${calls - 1}}`;
  });
  if (blocks.every((block, index) => block.isCall || (block.type === 'text' && index === 0))) return [];
  const json = `{"server":${JSON.stringify(server)},"blocks":[${places.join(',')}]}`;
  return [{ provider, api: API, json: json as JsonText }];
}

/** The places of an assistant's blocks for this server; for every other one, text and then calls (invariant I9). */
export function placesOf(item: Assistant, server: string): readonly Place[] {
  const plain: readonly Place[] = [
    { type: 'text', length: item.text.length },
    ...item.calls.map((_, index) => ({ type: 'call', index }) as const),
  ];
  for (const raw of item.raw) {
    if (raw.api !== API) continue;
    const members = memberTexts(raw.json);
    if (members.get('server') !== JSON.stringify(server)) continue;
    const places = elementTexts(members.get('blocks') ?? ('[]' as JsonText)).map(placeOf);
    return covers(places, item) ? places : plain;
  }
  return plain;
}

function placeOf(text: JsonText): Place {
  const members = memberTexts(text);
  const raw = members.get('raw');
  if (raw !== undefined) return { type: 'raw', json: raw };
  const length = members.get('text');
  return length === undefined
    ? { type: 'call', index: Number(members.get('call')) }
    : { type: 'text', length: Number(length) };
}

/** Whether the places hold the whole text and each call once, in order. */
function covers(places: readonly Place[], item: Assistant): boolean {
  const length = places.reduce((sum, place) => sum + (place.type === 'text' ? place.length : 0), 0);
  const calls = places.flatMap((place) => (place.type === 'call' ? place.index : []));
  return (
    length === item.text.length &&
    calls.length === item.calls.length &&
    calls.every((call, index) => call === index)
  );
}
