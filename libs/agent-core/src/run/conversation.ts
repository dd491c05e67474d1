import type { ConversationItem } from '../model/conversation.js';
import { finalResultOf } from './calls.js';
import type { Run, Turn } from './run.js';

/**
 * The conversation as a model sees it: what was said in the run's thread before, the input, then each turn with exactly
 * one result for each of its calls, in the calls' order, whatever happened to them (invariant I11).
 */
export function conversationOf(run: Run, history: readonly ConversationItem[]): readonly ConversationItem[] {
  const items = [...history, ...run.input];
  for (const turn of run.turns) items.push(...itemsOf(turn));
  return items;
}

/** A turn never changes once the next one has begun, so a long run does not build its past again for each call. */
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
