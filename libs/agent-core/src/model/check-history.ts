import { foldOnce } from '../shared/fold-once.js';
import type { ConversationItem } from './conversation.js';

/**
 * What makes a conversation one that providers refuse, in words; null where it is sound (invariant I11). Every call
 * has an id of its own and exactly one result, the results of a turn follow it at once in the calls' order, and no
 * item is empty. What else a provider wants (roles in turn, results before text) its adapter sees to.
 */
export function historyFault(conversation: readonly ConversationItem[]): string | null {
  if (conversation.length === 0) return 'nothing was said';
  const { fault, open } = checked(conversation);
  if (fault !== null) return fault;
  return open.length === 0 ? null : `the call ${open[0]} has no result`;
}

/** The ids of the calls in a sound conversation. */
export function callIdsIn(conversation: readonly ConversationItem[]): ReadonlySet<string> {
  return checked(conversation).seen;
}

/** What is known after some items: the first fault, the ids of calls so far, and those that wait for a result. */
interface Checked {
  readonly fault: string | null;
  readonly seen: Set<string>;
  readonly open: readonly string[];
}

const checked = foldOnce<ConversationItem, Checked>(
  () => ({ fault: null, seen: new Set(), open: [] }),
  (before, item, index) => {
    const { seen, open } = before;
    if (before.fault !== null) return before;
    const fault = item.role === 'tool' ? resultFault(item.callId, open) : itemFault(item, open, seen);
    return {
      fault: fault === null ? null : `item ${index}: ${fault}`,
      seen,
      open: item.role === 'tool' ? open.slice(1) : callIdsOf(item),
    };
  },
);

type Said = Exclude<ConversationItem, { role: 'tool' }>;

function itemFault(item: Said, open: readonly string[], seen: Set<string>): string | null {
  if (open.length > 0) return `the call ${open[0]} has no result before it`;
  if (item.role === 'user') return item.text === '' ? 'an empty message of the user' : null;
  if (item.text === '' && item.calls.length === 0 && item.raw.length === 0)
    return 'an empty message of the model';
  for (const { callId } of item.calls) {
    if (callId === '') return 'a call without an id';
    if (seen.has(callId)) return `the id ${callId} names two calls`;
    seen.add(callId);
  }
  return null;
}

function resultFault(callId: string, [next]: readonly string[]): string | null {
  if (next === callId) return null;
  return next === undefined
    ? `a result for ${callId}, which asks for none`
    : `a result for ${callId}, not ${next}`;
}

function callIdsOf(item: Said): readonly string[] {
  return item.role === 'assistant' ? item.calls.map(({ callId }) => callId) : [];
}
