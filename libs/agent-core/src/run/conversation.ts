import type { ConversationItem } from '../model/conversation.js';
import { foldOnce } from '../shared/fold-once.js';
import { finalResultOf } from './calls.js';
import type { Run, Turn } from './run.js';

/**
 * The conversation as a model sees it: what was said in the run's thread before, the input, then each turn with exactly
 * one result for each of its calls, in the calls' order, whatever happened to them (invariant I11).
 */
export function conversationOf(run: Run, history: readonly ConversationItem[]): readonly ConversationItem[] {
  return [...history, ...run.input, ...saidIn(run.turns)];
}

/** A long run does not put its past together again for each call. */
const saidIn = foldOnce<Turn, ConversationItem[]>(
  () => [],
  (said, turn) => {
    said.push(...itemsOf(turn));
    return said;
  },
);

/** The same items for the same turn: who encodes them does so once. */
const builtTurns = new WeakMap<Turn, readonly ConversationItem[]>();

function itemsOf(turn: Turn): readonly ConversationItem[] {
  const built = builtTurns.get(turn) ?? buildItems(turn);
  builtTurns.set(turn, built);
  return built;
}

function buildItems(turn: Turn): readonly ConversationItem[] {
  const { text, calls, raw } = turn;
  if (text === '' && calls.length === 0 && raw.length === 0) return [];
  return [
    {
      role: 'assistant',
      text,
      calls: calls.map(({ callId, tool, proposed }) => ({ callId, tool, arguments: proposed })),
      raw,
    },
    ...calls.map(
      (call): ConversationItem => ({
        role: 'tool',
        callId: call.callId,
        tool: call.tool,
        ...finalResultOf(call),
      }),
    ),
  ];
}
