import { Cpu } from 'lucide-react';
import { cn } from '../../../kit/cn';
import { Count } from '../../../kit/count';
import { duration } from '../../../kit/times';
import type { ModelCallStory } from '../story/story';

interface ModelMetaProps {
  model: ModelCallStory;
  open: boolean;
  onOpen: (id: string) => void;
}

/** What a reply took; opens its model call. */
export function ModelMeta({ model, open, onOpen }: ModelMetaProps) {
  const { id, turn, usage, from, to } = model;
  return (
    <button
      type="button"
      data-stop
      data-id={id}
      aria-pressed={open}
      onClick={() => onOpen(id)}
      className={cn(
        '-my-0.5 inline-flex items-center gap-2 rounded-4 border border-transparent px-1.5 py-0.5 text-12 text-faint hover:bg-hover hover:text-ink',
        open && 'border-ring text-ink',
      )}
    >
      <Cpu aria-hidden className="size-3.5 shrink-0" />
      <span>
        <span className="sr-only">Model call of </span>turn {turn}
      </span>
      <span className="figures min-w-14 whitespace-nowrap text-right font-mono">{duration(to - from)}</span>
      {usage !== null && (
        <span className="min-w-20 whitespace-nowrap text-right max-md:hidden">
          <Count value={usage.inputTokens} unit="tokens sent" /> tok
        </span>
      )}
    </button>
  );
}
