import type { Received as ReceivedBy } from '@countersign/contracts';
import { cn } from '../../../kit/cn';

const PARTS = [
  { name: 'instructions', look: 'bg-ink/75', read: (received: ReceivedBy) => received.instructionsTokens },
  { name: 'tools', look: 'bg-faint', read: (received: ReceivedBy) => received.toolsTokens },
  {
    name: 'conversation',
    look: 'bg-line-strong',
    read: (received: ReceivedBy) => received.conversationTokens,
  },
] as const;

/** How what a model was sent divides between instructions, tools and conversation. */
export function Received({ received }: { received: ReceivedBy }) {
  const parts = PARTS.map(({ read, ...part }) => ({ ...part, tokens: read(received) ?? 0 }));
  const all = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  if (all === 0) {
    return null;
  }
  return (
    <div className="pb-2">
      <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full">
        {parts.map(({ name, look, tokens }) => (
          <span key={name} className={look} style={{ width: `${(tokens / all) * 100}%` }} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-3 pt-1 text-12 text-muted">
        {parts.map(({ name, look, tokens }) => (
          <li key={name} className="flex items-center gap-1.5">
            <span aria-hidden className={cn('size-2 rounded-full', look)} />
            {name} <span className="figures font-mono text-faint">{tokens.toLocaleString('en')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
