/** A key that went down. */
export interface Keystroke {
  readonly key: string;
  /** Command, or Control. */
  readonly mod: boolean;
  readonly alt: boolean;
  /** Milliseconds. */
  readonly at: number;
  /** It belongs to a text field, a dialog or a menu. */
  readonly typing: boolean;
}

interface Bound {
  readonly keys?: string;
  readonly whileTyping?: boolean;
}

/** Between two keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_000;

/** Reads keys one by one and finds the action that they name; keeps the first key of a sequence such as `g r`. */
export function makeKeyReader() {
  let before: { readonly name: string; readonly at: number } | null = null;
  return <Action extends Bound>(stroke: Keystroke, actions: readonly Action[]): Action | undefined => {
    if (MODIFIERS.has(stroke.key)) {
      return undefined;
    }
    const name = nameOf(stroke);
    const first = before !== null && stroke.at - before.at < SEQUENCE_MS ? before.name : null;
    before = stroke.typing || name === null ? null : { name, at: stroke.at };
    if (name === null) {
      return undefined;
    }
    const candidates = actions.filter((action) => !stroke.typing || action.whileTyping === true);
    const sequence = candidates.find(({ keys }) => first !== null && keys === `${first} ${name}`);
    const found = sequence ?? candidates.findLast(({ keys }) => keys === name);
    if (found !== undefined) {
      before = null;
    }
    return found;
  };
}

/** Pressed to make another key of one: they are no key by themselves. */
const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Meta', 'Alt', 'CapsLock']);

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Enter: 'enter',
  Escape: 'escape',
};

function nameOf({ key, mod, alt }: Keystroke): string | null {
  if (alt) {
    return null;
  }
  const name = NAMES[key] ?? (key.length === 1 ? key.toLowerCase() : key);
  return mod ? `mod+${name}` : name;
}
