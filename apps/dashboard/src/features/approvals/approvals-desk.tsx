'use client';

import { ArrowLeft, ChevronDown, ChevronUp } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { useActions } from '../../frame/actions';
import { Page } from '../../frame/page';
import { Button, IconButton } from '../../kit/button';
import { cn } from '../../kit/cn';
import { Empty, ErrorState } from '../../kit/notice';
import { SkeletonRows } from '../../kit/skeleton';
import { toast } from '../../kit/toast';
import type { Decided } from './card/decided';
import { useDecide } from './data/use-decide';
import { useHolds } from './data/use-holds';
import { useQueue } from './data/use-queue';
import { Holds } from './holds';
import { OpenItem } from './open-item';
import { openAfter, type QueueFilters, stepFrom } from './queue/queue';
import { QueueFiltersBar } from './queue/queue-filters';
import { QueueList } from './queue/queue-list';
import { usePlace } from './use-place';
import { useShownQueue } from './use-shown-queue';
import { useWide } from './use-wide';

const NO_FILTERS: QueueFilters = { tool: null, agent: null, within: null };

/** Queue and card side by side; on a phone the one behind the other. */
export function ApprovalsDesk() {
  const { open, filters, setPlace } = usePlace();
  const queue = useQueue(filters);
  const items = useShownQueue(queue.items, open);
  const wide = useWide();
  const { undo } = useDecide();
  const { holds, add, remove } = useHolds();

  const show = useCallback(
    (id: string | null) => void setPlace({ open: id }, { history: 'replace' }),
    [setPlace],
  );
  const first = items?.[0]?.id;
  useEffect(() => {
    if (wide && open === null && first !== undefined) {
      show(first);
    }
  }, [wide, open, first, show]);

  const step = (steps: number) => show(stepFrom(items ?? [], open, steps));
  const openNext = (done: string) => {
    show(openAfter(items ?? [], done));
    requestAnimationFrame(focusHeadline);
  };
  const onDecided = ({ approval, summary, heldUntil }: Decided) => {
    if (approval.status === 'approved' && heldUntil !== null) {
      add({ id: approval.id, summary, until: heldUntil });
    } else if (approval.status === 'pending') {
      toast('Your approval counts', { detail: `Another member has to approve, too: ${summary}` });
    } else {
      toast('Rejected', { detail: summary });
    }
    openNext(approval.id);
  };
  const takeBack = async (id: string) => {
    remove(id);
    const answer = await undo(id);
    if (answer.type === 'taken') {
      show(id);
      toast('Undone: it waits again', { stays: 2_500 });
    } else {
      toast(answer.refusal.title, { detail: answer.refusal.detail, tone: 'problem' });
    }
  };

  const latest = holds.at(-1);
  useActions('Queue', [
    { label: 'Next', keys: 'j', palette: false, run: () => step(1) },
    { label: 'Previous', keys: 'k', palette: false, run: () => step(-1) },
    {
      label: 'Undo the last approval',
      keys: 'u',
      palette: latest !== undefined,
      run: () => latest !== undefined && void takeBack(latest.id),
    },
    ...(wide || open === null ? [] : [{ label: 'Back to the queue', keys: 'escape', run: () => show(null) }]),
  ]);

  const undoing = { holds, onUndo: (id: string) => void takeBack(id) };
  const openItem = items?.find(({ id }) => id === open);
  const nothing = items?.length === 0 && open === null;
  return (
    <Page
      title={<Title open={open !== null} onBack={() => show(null)} />}
      actions={
        <>
          <Holds {...undoing} className="max-md:hidden" />
          {open !== null && <Steps onStep={step} />}
        </>
      }
    >
      <Holds {...undoing} className="border-line border-b px-4 py-2 md:hidden [&>p]:flex-1" />
      <div className="flex min-h-0 flex-1">
        <section
          aria-label="Queue"
          className={cn(
            'flex min-h-0 w-full shrink-0 flex-col border-line md:w-72 md:border-r lg:w-80 xl:w-90',
            open !== null && 'max-md:hidden',
            nothing && 'md:w-full md:border-r-0 lg:w-full xl:w-full',
          )}
        >
          <QueueFiltersBar
            filters={filters}
            onChange={(change) => void setPlace({ ...change, open: null })}
          />
          {items !== null ? (
            items.length === 0 ? (
              <NothingWaits
                filtered={Object.values(filters).some((one) => one !== null)}
                onClear={() => void setPlace(NO_FILTERS)}
              />
            ) : (
              <QueueList
                items={items}
                openId={open}
                onOpen={show}
                hasMore={queue.hasMore}
                onReadMore={queue.readMore}
              />
            )
          ) : queue.error === null ? (
            <SkeletonRows label="Loading the queue" />
          ) : (
            <ErrorState
              title="The queue could not be read"
              detail={queue.error.detail}
              requestId={queue.error.requestId}
              retry={queue.retry}
            />
          )}
        </section>
        {open !== null && (
          <section aria-label="Decision" className="flex min-h-0 min-w-0 flex-1 flex-col">
            <OpenItem
              key={open}
              id={open}
              item={openItem}
              onDecided={onDecided}
              onDone={openNext}
              onNext={() => openNext(open)}
              onOpen={show}
            />
          </section>
        )}
      </div>
    </Page>
  );
}

function Title({ open, onBack }: { open: boolean; onBack: () => void }) {
  return (
    <span className="flex items-center gap-2">
      {open && (
        <IconButton label="Back to the queue" size="large" className="-my-1 -ml-2 md:hidden" onClick={onBack}>
          <ArrowLeft aria-hidden />
        </IconButton>
      )}
      Approvals
    </span>
  );
}

/** On a phone, where the queue is out of sight and there are no keys. */
function Steps({ onStep }: { onStep: (steps: number) => void }) {
  return (
    <span className="-mr-1.5 flex md:hidden">
      <IconButton label="Previous" size="large" onClick={() => onStep(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label="Next" size="large" onClick={() => onStep(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
    </span>
  );
}

function NothingWaits({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <Empty title="Nothing like this waits" actions={<Button onClick={onClear}>Clear the filters</Button>}>
      Other requests may.
    </Empty>
  ) : (
    <Empty title="Nothing waits for you">
      When an agent asks for something that takes a signature, it appears here by itself.
    </Empty>
  );
}

/** Who reads by ear, or goes by the keyboard, begins at the top of the new card. */
function focusHeadline(): void {
  document.querySelector<HTMLElement>('[data-headline]')?.focus({ preventScroll: true });
}
