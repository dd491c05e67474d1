'use client';

import { useMemo } from 'react';
import { useActions } from '../../frame/actions';
import { Button } from '../../kit/button';
import { Tabs } from '../../kit/tabs';
import { toast } from '../../kit/toast';
import { useMedia } from '../../kit/use-media';
import { Conversation } from './conversation/conversation';
import { useNames } from './data/use-names';
import { type Tab, usePlace } from './data/use-place';
import type { useRun } from './data/use-run';
import { EventsView } from './events/events-view';
import { findSpan } from './span/find-span';
import { SpanPanel } from './span/span-panel';
import { problems } from './story/problems';
import { TimelineView } from './timeline/timeline-view';
import { counted } from './words';

const TAB_LABELS: readonly { value: Tab; label: string }[] = [
  { value: 'conversation', label: 'Conversation' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'events', label: 'Events' },
];

/** Three views of the same events, and beside them the span that is open. */
export function RunTabs({ runId, story, stream, alive }: ReturnType<typeof useRun> & { runId: string }) {
  const { tab, setTab, span, open } = usePlace();
  const nameOf = useNames(runId, story);
  const found = useMemo(() => problems(story), [story]);
  const wide = useMedia('(min-width: 64rem)');
  const opened = span === null ? null : findSpan(story, span);
  const nextProblem = () => {
    const place = found.findIndex(({ id }) => id === span);
    const next = found[(place + 1) % found.length];
    if (next !== undefined) {
      open(next.id);
    }
  };
  useActions('Run', [
    ...TAB_LABELS.map(({ value, label }, position) => ({
      label,
      keys: String(position + 1),
      run: () => setTab(value),
    })),
    { label: 'Copy the id', keys: 'c', run: () => copyId(span ?? runId) },
    ...(found.length === 0 ? [] : [{ label: 'Next problem', keys: 'n', run: nextProblem }]),
    ...(span === null
      ? []
      : [{ label: 'Close the span', keys: 'escape', palette: false, run: () => open(null) }]),
  ]);
  // An approval is a part of its call.
  const shown = opened?.kind === 'call' ? opened.call.id : span;
  const shared = { story, alive, span: shown, onOpen: open };
  return (
    <div className="flex min-h-0 flex-1">
      <Tabs
        value={tab}
        onChange={setTab}
        tabs={TAB_LABELS}
        label="Views of the run"
        className="min-w-0 flex-1"
        aside={
          <>
            {found.length > 0 && tab !== 'events' && (
              <Button
                size="small"
                variant="ghost"
                {...(wide ? { keyHint: 'n' } : {})}
                onClick={nextProblem}
                className="text-red"
              >
                {counted(found.length, 'problem')}
              </Button>
            )}
            <StreamSign state={stream.state} alive={alive} />
          </>
        }
      >
        {tab === 'conversation' && <Conversation {...shared} live={stream.live} nameOf={nameOf} />}
        {tab === 'timeline' && <TimelineView {...shared} />}
        {tab === 'events' && <EventsView events={stream.events} alive={alive} />}
      </Tabs>
      {span !== null && tab !== 'events' && (
        <SpanPanel
          key={span}
          runId={runId}
          story={story}
          nameOf={nameOf}
          span={span}
          wide={wide}
          onClose={() => open(null)}
          onOpen={open}
        />
      )}
    </div>
  );
}

/** The id of what has the focus, else of what is open. */
function copyId(open: string): void {
  const id = document.activeElement?.closest<HTMLElement>('[data-id]')?.dataset.id ?? open;
  navigator.clipboard.writeText(id).then(
    () => toast(`Copied ${id}`),
    () => toast('The browser does not let this page copy', { tone: 'problem' }),
  );
}

function StreamSign({ state, alive }: { state: string; alive: boolean }) {
  if (!alive) {
    return null;
  }
  return (
    <span role="status" className="flex items-center gap-1.5 text-12 text-faint">
      <span
        aria-hidden
        className={
          state === 'live'
            ? 'size-1.5 rounded-full bg-blue'
            : 'size-1.5 animate-breathe rounded-full bg-line-strong'
        }
      />
      {state === 'live' ? 'Live' : 'Connecting'}
    </span>
  );
}
