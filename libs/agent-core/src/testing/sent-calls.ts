import type { CallStream } from './call-streams.js';

/** A call, or the result of one, as it stands in the body of a request. A result need not say a name. */
interface SentItem {
  readonly said: 'call' | 'result';
  readonly id: unknown;
  readonly name?: unknown;
}

/**
 * What a provider would refuse in the calls of a body, in words; null where there is nothing. Each call has an id that
 * no other has, the results of a turn's calls follow it under the same ids and in the same order, and ids and names are
 * such as this API takes (invariant I11, on the wire).
 */
export function sentFault(body: string, { accepts }: Pick<CallStream, 'accepts'>): string | null {
  const { messages, input, contents } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const seen = new Set<unknown>();
  let open: SentItem[] = [];
  let isAnswered = false;
  for (const item of sentItems(messages ?? input ?? contents)) {
    const told = JSON.stringify(item);
    if (!accepts.id.test(String(item.id ?? ''))) return `the id of ${told} is none`;
    if (item.said === 'call' || item.name !== undefined) {
      if (!accepts.name.test(String(item.name ?? ''))) return `the name of ${told} is none`;
    }
    if (item.said === 'call') {
      if (seen.has(item.id)) return `the id of ${told} names two calls`;
      if (isAnswered && open.length > 0) return `${JSON.stringify(open)} have no result before ${told}`;
      seen.add(item.id);
      open.push(item);
      isAnswered = false;
    } else {
      const [asked, ...rest] = open;
      if (asked?.id !== item.id) return `${told} answers ${JSON.stringify(asked)}`;
      if (item.name !== undefined && item.name !== asked?.name) return `${told} answers another tool`;
      open = rest;
      isAnswered = true;
    }
  }
  return open.length === 0 ? null : `${JSON.stringify(open)} have no result`;
}

/** The calls and results of a history in any API's words, in their order. */
function sentItems(value: unknown): readonly SentItem[] {
  if (Array.isArray(value)) return value.flatMap(sentItems);
  if (typeof value !== 'object' || value === null) return [];
  const found = itemOf(value as Entry);
  return found === null ? Object.values(value).flatMap(sentItems) : [found];
}

type Entry = Readonly<Record<string, unknown>>;

function itemOf(entry: Entry): SentItem | null {
  if ('functionCall' in entry) return { said: 'call', ...named(entry.functionCall) };
  if ('functionResponse' in entry) return { said: 'result', ...named(entry.functionResponse) };
  if (entry.role === 'tool') return { said: 'result', id: entry.tool_call_id };
  switch (entry.type) {
    case 'function':
      return { said: 'call', ...named(entry.function), id: entry.id };
    case 'function_call':
      return { said: 'call', ...named(entry), ...('call_id' in entry && { id: entry.call_id }) };
    case 'tool_use':
      return { said: 'call', ...named(entry) };
    case 'function_call_output':
      return { said: 'result', id: entry.call_id };
    case 'function_result':
      return { said: 'result', id: entry.call_id, name: entry.name };
    case 'tool_result':
      return { said: 'result', id: entry.tool_use_id };
    default:
      return null;
  }
}

function named(entry: unknown): { readonly id: unknown; readonly name: unknown } {
  const { id, name } = entry as Entry;
  return { id, name };
}
