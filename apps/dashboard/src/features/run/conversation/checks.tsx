import { Check, Minus, X } from 'lucide-react';
import { cn } from '../../../kit/cn';
import type { Checks } from '../story/happening';

const NAMES: Readonly<Record<keyof Checks, string>> = {
  registered: 'Registered',
  arguments: 'Arguments',
  scope: 'Scope',
  policy: 'Policy',
  credential: 'Credential',
};

const LOOKS = {
  passed: { Icon: Check, word: 'passed', colour: 'text-green', text: 'text-muted' },
  stopped: { Icon: X, word: 'stopped it', colour: 'text-red', text: 'font-medium text-red' },
  not_reached: { Icon: Minus, word: 'not reached', colour: 'text-faint', text: 'text-faint' },
} as const;

/** The five checks of a call in their order, with the one that stopped it. */
export function CheckLine({ checks, className }: { checks: Checks; className?: string }) {
  return (
    <ol aria-label="Checks" className={cn('flex flex-wrap gap-x-3 gap-y-0.5 text-12', className)}>
      {(Object.keys(NAMES) as (keyof Checks)[]).map((name) => {
        const { Icon, word, colour, text } = LOOKS[checks[name]];
        return (
          <li key={name} className="flex items-center gap-1">
            <Icon aria-hidden className={cn('size-3', colour)} />
            <span className={text}>{NAMES[name]}</span>
            <span className="sr-only">{word}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** Whether one of them stopped the call. */
export function isStopped(checks: Checks): boolean {
  return Object.values(checks).includes('stopped');
}
