import { cn } from './cn';
import { hint } from './hint';
import { inertParts } from './inert';

interface InertTextProps {
  /** Written by a model, a customer, a tool: never by us. */
  text: string;
  /** Keeps its lines; else they run on. */
  lines?: boolean;
  className?: string;
}

/**
 * Text that others wrote, as text alone: never markup, never a link, and what would hide in it (invisible and
 * bidirectional characters) is made visible. It cannot turn around what stands beside it.
 */
export function InertText({ text, lines = false, className }: InertTextProps) {
  return (
    <bdi className={cn(lines && 'whitespace-pre-wrap', className)}>
      {inertParts(text).map((part, position) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <mark
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
            key={position}
            className="mx-px rounded-4 bg-amber-soft px-0.5 font-mono text-11 text-amber"
            {...hint(part.name)}
          >
            {part.code}
          </mark>
        ),
      )}
    </bdi>
  );
}
