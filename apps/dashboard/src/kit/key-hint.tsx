'use client';

import { useSyncExternalStore } from 'react';
import { cn } from './cn';

const NAMES: Readonly<Record<string, string>> = {
  shift: '⇧',
  enter: '↵',
  escape: 'Esc',
  up: '↑',
  down: '↓',
};

/** The words that a screen reader says for a key that is shown as a sign. */
const SPOKEN: Readonly<Record<string, string>> = {
  mod: 'Command or Control',
  enter: 'Enter',
  shift: 'Shift',
};

interface KeyHintProps {
  /** Keys pressed together are joined by `+`, one after the other by a space: `mod+k`, `g a`. */
  keys: string;
  on?: 'surface' | 'accent';
}

/** The keys that do something, as they are printed on the keyboard; a phone has none. */
export function KeyHint({ keys, on = 'surface' }: KeyHintProps) {
  const mod = useModSign();
  return (
    <span className="inline-flex items-center gap-0.5 max-md:hidden">
      {keys.split(/[ +]/).map((key, position) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may hold the same key twice, and never changes
          key={position}
          aria-label={SPOKEN[key]}
          className={cn(
            'inline-flex h-4 min-w-4 items-center justify-center rounded-4 border px-1 font-sans text-11 leading-none',
            on === 'accent' ? 'border-current opacity-75' : 'border-line-strong bg-sunken text-muted',
          )}
        >
          {key === 'mod' ? mod : (NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key))}
        </kbd>
      ))}
    </span>
  );
}

const never = () => () => undefined;

/** What the key is called on this machine's keyboard. */
function useModSign(): string {
  return useSyncExternalStore(
    never,
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'),
    () => 'Ctrl',
  );
}
