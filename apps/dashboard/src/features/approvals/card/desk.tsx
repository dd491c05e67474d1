import type { ReactNode } from 'react';

interface DeskProps {
  /** Scrolls. */
  card: ReactNode;
  /** Beside the card from 1280 pixels on, else below it. */
  context: ReactNode;
  /** Stays in sight at the end. */
  bar: ReactNode;
}

/** Where one decision is made: the card, what it rests on, and the answers, which never move. */
export function Desk({ card, context, bar }: DeskProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col xl:grid xl:grid-cols-[minmax(0,1fr)_380px] xl:grid-rows-[minmax(0,1fr)_auto]">
      <div className="min-h-0 flex-1 overflow-y-auto xl:contents">
        <div className="xl:min-h-0 xl:overflow-y-auto">{card}</div>
        <aside
          aria-label="What it rests on"
          className="flex flex-col border-line max-xl:border-t xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:min-h-0 xl:border-l"
        >
          {context}
        </aside>
      </div>
      <footer className="shrink-0 border-line border-t bg-surface xl:col-start-1 xl:row-start-2">
        {bar}
      </footer>
    </div>
  );
}
