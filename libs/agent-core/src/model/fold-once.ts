import type { ConversationItem } from './conversation.js';

interface Folded<State> {
  readonly items: readonly ConversationItem[];
  readonly state: State;
}

/**
 * Folds a conversation, going on where the last fold of its beginning ended: a history goes out again with every turn,
 * a few items longer, and two hundred turns must not cost two hundred looks at the first. What is kept stands only for
 * the very same items, and lives as long as the first of them. `step` may change the state that it is given.
 */
export function foldOnce<State>(
  begin: () => State,
  step: (state: State, item: ConversationItem, index: number) => State,
): (conversation: readonly ConversationItem[]) => State {
  const folds = new WeakMap<ConversationItem, Folded<State>>();
  return (conversation) => {
    const [first] = conversation;
    const known = first === undefined ? undefined : folds.get(first);
    const goesOn = known?.items.every((item, index) => item === conversation[index]) ?? false;
    const { items: done, state: before } = goesOn && known ? known : { items: [], state: begin() };
    // Should a step throw, its state may be half changed already.
    if (first !== undefined) folds.delete(first);
    let state = before;
    for (const [index, item] of conversation.slice(done.length).entries()) {
      state = step(state, item, done.length + index);
    }
    if (first !== undefined) folds.set(first, { items: [...conversation], state });
    return state;
  };
}
