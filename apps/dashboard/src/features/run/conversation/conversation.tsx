'use client';

import { useMemo } from 'react';
import { InertText } from '../../../kit/inert-text';
import type { LiveText } from '../data/run-events';
import type { NameOf } from '../data/use-names';
import { VirtualRows } from '../rows/virtual-rows';
import type { Story } from '../story/story';
import { CallItem } from './call-item';
import { type ConversationRow, conversationRows } from './conversation-rows';
import { Line } from './line';
import { MomentItem } from './moment-item';

interface ConversationProps {
  story: Story;
  live: LiveText | null;
  alive: boolean;
  nameOf: NameOf;
  span: string | null;
  onOpen: (id: string) => void;
}

/** What was said in a run, with its calls between. */
export function Conversation({ story, live, alive, nameOf, span, onOpen }: ConversationProps) {
  const rows = useMemo(() => conversationRows(story, live), [story, live]);
  return (
    <VirtualRows
      label="Conversation"
      rows={rows}
      keyOf={({ key }) => key}
      estimate={estimate}
      isStop={isStop}
      follow={alive}
      shown={span}
      {...(span === null ? {} : { onMove: ({ key }: ConversationRow) => onOpen(key) })}
      head={<div className="h-2" />}
      foot={<div className="h-6" />}
    >
      {(row) =>
        row.kind === 'call' ? (
          <CallItem call={row.call} nameOf={nameOf} open={row.key === span} onOpen={onOpen} />
        ) : row.kind === 'live' ? (
          <LiveItem turn={row.turn} live={row.live} />
        ) : (
          <MomentItem moment={row.moment} nameOf={nameOf} open={span} onOpen={onOpen} />
        )
      }
    </VirtualRows>
  );
}

const CALL = 72;
const MOMENT = 40;

function estimate({ kind }: ConversationRow): number {
  return kind === 'call' ? CALL : MOMENT;
}

function isStop(row: ConversationRow): boolean {
  return (
    row.kind === 'call' ||
    (row.kind === 'moment' && (row.moment.kind === 'reply' || row.moment.kind === 'attempt'))
  );
}

function LiveItem({ turn, live }: { turn: number; live: LiveText | null }) {
  const tools = (live?.tools ?? []).filter((tool) => tool !== undefined);
  return (
    <Line who="Agent" aside={<span className="px-1.5 text-12 text-blue">turn {turn}</span>}>
      {live !== null && live.text !== '' && <InertText text={live.text} lines />}
      <p className="flex items-center gap-2 text-12 text-muted">
        <span aria-hidden className="size-2 animate-breathe rounded-full bg-blue" />
        {tools.length > 0
          ? `Writes a call of ${tools.join(', ')}`
          : live === null
            ? 'Asking the model'
            : 'Writing'}
      </p>
    </Line>
  );
}
