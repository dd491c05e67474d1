'use client';

import { useMemo, useState, useTransition } from 'react';
import { Button } from './button';
import { cn } from './cn';
import { CopyButton } from './copy';
import { InertParts } from './inert-parts';
import { textChunks, textSize } from './text-chunks';

interface LongTextProps {
  text: string;
  className?: string | undefined;
}

/**
 * A text that would hold up the page: its first chunk, and all of it when that is asked for. The copy is all of it. Each
 * chunk is laid out by itself, once it is near to what can be seen.
 */
export function LongText({ text, className }: LongTextProps) {
  const [all, setAll] = useState(false);
  const [busy, startShowing] = useTransition();
  const chunks = useMemo(() => textChunks(text), [text]);
  return (
    <bdi className={cn('whitespace-pre-wrap', className)}>
      {(all ? chunks : chunks.slice(0, 1)).map((chunk, position) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the chunks of one text never change places
          key={position}
          className="block [contain-intrinsic-height:auto_400px] [content-visibility:auto]"
        >
          <InertParts text={chunk} />
        </span>
      ))}
      <span className="mt-1 flex items-center gap-2">
        {!all && (
          <Button size="small" busy={busy} onClick={() => startShowing(() => setAll(true))}>
            Show all ({textSize(text)})
          </Button>
        )}
        <CopyButton text={text} label="Copy all of it" />
      </span>
    </bdi>
  );
}
