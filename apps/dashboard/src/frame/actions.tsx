'use client';

import type { LucideIcon } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { type Keystroke, makeKeyReader } from './key-reader';

/** Something that can be done on this page: from the palette, by its keys, or both. */
export interface Action {
  readonly label: string;
  readonly run: () => void;
  /** `j`, `g a` (one after the other), `mod+k`; also listed under `?`. */
  readonly keys?: string;
  readonly icon?: LucideIcon;
  /** What else it may be searched by. */
  readonly keywords?: readonly string[];
  /** false: keys only, as for moving in a list. */
  readonly palette?: boolean;
  /** false: not under `?`, since all that the keys do here is to say why they do nothing. */
  readonly listed?: boolean;
  /** Keys that work while something is typed, too. */
  readonly whileTyping?: boolean;
}

export interface ActionGroup {
  readonly name: string;
  readonly actions: readonly Action[];
}

class Registry {
  private groups = new Map<string, ActionGroup>();
  private snapshot: readonly ActionGroup[] = [];
  private readonly listeners = new Set<() => void>();

  readonly put = (id: string, group: ActionGroup | null) => {
    if (group === null) {
      this.groups.delete(id);
    } else {
      this.groups.set(id, group);
    }
    this.snapshot = byName([...this.groups.values()]);
    for (const listener of this.listeners) {
      listener();
    }
  };

  readonly all = (): readonly ActionGroup[] => this.snapshot;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

/** Groups of one name, offered by several parts of a page, are one group. */
function byName(groups: readonly ActionGroup[]): readonly ActionGroup[] {
  const merged = new Map<string, ActionGroup>();
  for (const { name, actions } of groups) {
    merged.set(name, { name, actions: [...(merged.get(name)?.actions ?? []), ...actions] });
  }
  return [...merged.values()];
}

const RegistryContext = createContext<Registry | null>(null);

/** Keeps what the page can do, and listens for its keys. */
export function ActionsProvider({ children }: { children: ReactNode }) {
  const registry = useMemo(() => new Registry(), []);
  useEffect(() => {
    const read = makeKeyReader();
    const onKeyDown = (event: KeyboardEvent) => {
      const actions = registry.all().flatMap((group) => group.actions);
      const pressed = read(keystroke(event), actions);
      if (pressed !== undefined) {
        event.preventDefault();
        pressed.run();
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [registry]);
  return <RegistryContext value={registry}>{children}</RegistryContext>;
}

function keystroke(event: KeyboardEvent): Keystroke {
  const target = event.target instanceof HTMLElement ? event.target : null;
  return {
    key: event.key,
    mod: event.metaKey || event.ctrlKey,
    alt: event.altKey,
    at: event.timeStamp,
    // An open dialog or menu has keys of its own.
    typing:
      event.defaultPrevented ||
      target?.closest('input, textarea, select, [contenteditable="true"]') != null ||
      document.querySelector('[role="dialog"], [role="menu"]') !== null,
  };
}

/** Offers these actions for as long as the caller is on the page. Give each render's own: the latest are used. */
export function useActions(name: string, actions: readonly Action[]): void {
  const registry = useRegistry();
  const id = useId();
  const latest = useRef(actions);
  // What is on the page has its keys at once: after the paint, the first of two quick ones would be lost.
  useLayoutEffect(() => {
    latest.current = actions;
  });
  // What is offered changes with its words; what it does is looked up when it is done.
  const offered = JSON.stringify(actions.map(({ label, keys, palette }) => [label, keys, palette]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `offered` stands for the actions
  useLayoutEffect(() => {
    const stable = latest.current.map((action, position) => ({
      ...action,
      run: () => latest.current[position]?.run(),
    }));
    registry.put(id, { name, actions: stable });
    return () => registry.put(id, null);
  }, [registry, id, name, offered]);
}

/** Everything that can be done now. */
export function useAllActions(): readonly ActionGroup[] {
  const registry = useRegistry();
  return useSyncExternalStore(registry.subscribe, registry.all, registry.all);
}

function useRegistry(): Registry {
  const registry = useContext(RegistryContext);
  if (registry === null) {
    throw new Error('actions are offered outside of the frame');
  }
  return registry;
}
