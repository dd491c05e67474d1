'use client';

import type { ReactNode } from 'react';
import { useMedia } from '../../../kit/use-media';

interface DeskProps {
  /** Scrolls. */
  card: ReactNode;
  /** Beside the card from 1280 pixels on, else below it. */
  context: ReactNode;
  /** Stays in sight at the end. */
  bar: ReactNode;
}

/**
 * Where one decision is made: the card, what it rests on, and the answers, which never move. Side by side the answers
 * follow the card in the order of Tab, too: what it rests on comes last.
 */
export function Desk({ card, context, bar }: DeskProps) {
  const wide = useMedia('(min-width: 80rem)');
  const answers = <footer className="shrink-0 border-line border-t bg-surface">{bar}</footer>;
  const basis = (
    <aside
      aria-label="What it rests on"
      className="flex flex-col border-line max-xl:border-t xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:min-h-0 xl:border-l"
    >
      {context}
    </aside>
  );
  return wide ? (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_320px] grid-rows-[minmax(0,1fr)_auto] min-[90rem]:grid-cols-[minmax(0,1fr)_380px]">
      <div className="min-h-0 overflow-y-auto">{card}</div>
      {answers}
      {basis}
    </div>
  ) : (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto">
        {card}
        {basis}
      </div>
      {answers}
    </div>
  );
}
