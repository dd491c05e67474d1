interface Folded<Item, State> {
  readonly items: readonly Item[];
  readonly state: State;
}

/**
 * Folds a list that grows at its end (a conversation, the turns of a run), going on where the last fold of its beginning
 * ended: two hundred turns must not cost two hundred looks at the first. What is kept stands only for the very same
 * items, and lives as long as the first of them. `step` may change the state that it is given; whoever asks may not.
 * What a step reads of `about` must be the same for the same items.
 */
export function foldOnce<Item extends object, State, About = void>(
  begin: () => State,
  step: (state: State, item: Item, index: number, about: About) => State,
): (items: readonly Item[], about: About) => State {
  const folds = new WeakMap<Item, Folded<Item, State>>();
  return (items, about) => {
    const [first] = items;
    const known = first === undefined ? undefined : folds.get(first);
    const goesOn = known !== undefined && startsWith(items, known.items);
    if (goesOn && known.items.length === items.length) return known.state;
    const done = goesOn ? known.items.length : 0;
    // Should a step throw, its state may be half changed already.
    if (first !== undefined) folds.delete(first);
    let state = goesOn ? known.state : begin();
    for (let index = done; index < items.length; index += 1) {
      state = step(state, items[index] as Item, index, about);
    }
    if (first !== undefined) folds.set(first, { items: [...items], state });
    return state;
  };
}

/** A plain loop: it is taken over every turn of a run, several times a step. */
function startsWith<Item>(items: readonly Item[], beginning: readonly Item[]): boolean {
  if (items.length < beginning.length) return false;
  for (let index = 0; index < beginning.length; index += 1) {
    if (items[index] !== beginning[index]) return false;
  }
  return true;
}
