'use client';

import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from '../../../kit/button';
import { Id } from '../../../kit/id';
import { Empty } from '../../../kit/notice';
import { duration } from '../../../kit/times';
import { useNow } from '../../../kit/use-now';
import type { NameOf } from '../data/use-names';
import type { Story } from '../story/story';
import { waitName } from '../timeline/timeline';
import { CallPanel } from './call-panel';
import { type FoundSpan, findSpan } from './find-span';
import { ModelPanel } from './model-panel';
import { Fact, Facts } from './rows';

interface SpanPanelProps {
  runId: string;
  story: Story;
  nameOf: NameOf;
  span: string;
  /** Beside the page; else a sheet over it. */
  wide: boolean;
  onClose: () => void;
  onOpen: (id: string) => void;
}

/** All of one span. */
export function SpanPanel({ wide, story, span, onClose, ...rest }: SpanPanelProps) {
  const found = findSpan(story, span);
  const title = titleOf(found);
  const body = <SpanBody found={found} story={story} span={span} {...rest} />;
  return wide ? (
    <aside
      aria-label={title}
      className="flex w-100 shrink-0 flex-col overflow-y-auto border-line border-l xl:w-110"
    >
      <SpanHead title={<h2 className="truncate font-semibold">{title}</h2>} id={span} onClose={onClose} />
      {body}
    </aside>
  ) : (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 animate-arrive bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-0 bottom-0 z-30 flex max-h-[86dvh] animate-arrive flex-col overflow-y-auto rounded-t-12 bg-overlay pb-[env(safe-area-inset-bottom)] shadow-overlay md:right-4 md:left-auto md:w-110"
        >
          <SpanHead
            title={<Dialog.Title className="truncate font-semibold">{title}</Dialog.Title>}
            id={span}
            onClose={onClose}
          />
          {body}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function SpanHead({ title, id, onClose }: { title: ReactNode; id: string; onClose: () => void }) {
  return (
    <header className="sticky top-0 z-10 flex items-center gap-3 bg-inherit px-4 py-2">
      <div className="min-w-0 flex-1">{title}</div>
      <Id value={id} />
      <IconButton label="Close" keys="escape" size="small" onClick={onClose} className="max-md:size-9">
        <X aria-hidden />
      </IconButton>
    </header>
  );
}

function titleOf(found: FoundSpan | null): string {
  switch (found?.kind) {
    case 'model':
      return `Turn ${found.model.turn}, ${found.model.model}`;
    case 'call':
      return `Turn ${found.call.turn}, ${found.call.tool}`;
    case 'wait':
      return waitName(found.wait);
    default:
      return 'Span';
  }
}

type SpanBodyProps = Omit<SpanPanelProps, 'wide' | 'onClose'> & { found: FoundSpan | null };

function SpanBody({ found, runId, story, nameOf, onOpen }: SpanBodyProps) {
  const now = useNow(1_000) ?? 0;
  switch (found?.kind) {
    case 'model':
      return <ModelPanel runId={runId} story={story} model={found.model} onOpen={onOpen} />;
    case 'call':
      return <CallPanel runId={runId} call={found.call} nameOf={nameOf} now={now} />;
    case 'wait':
      return (
        <div className="px-4 pb-4">
          <Facts>
            <Fact name="Took">
              <span className="figures font-mono">{duration((found.wait.to ?? now) - found.wait.from)}</span>
            </Fact>
          </Facts>
        </div>
      );
    default:
      return <Empty title="There is no such span in this run">It may not have happened yet.</Empty>;
  }
}
