'use client';

import { useCallback, useEffect } from 'react';
import { useTenantSlug } from '../../api/api-provider';
import { useActions } from '../../frame/actions';
import { Page } from '../../frame/page';
import { toast } from '../../kit/toast';
import type { Decided } from './card/decided';
import { follow, forget } from './data/followed';
import { useDecide } from './data/use-decide';
import { useHolds } from './data/use-holds';
import { useQueue } from './data/use-queue';
import { DeskSteps, DeskTitle } from './desk-head';
import { Holds } from './holds';
import { OpenItem } from './open-item';
import { openAfter, stepFrom } from './queue/queue';
import { QueueColumn } from './queue/queue-column';
import { usePlace } from './use-place';
import { useShownQueue } from './use-shown-queue';
import { useWide } from './use-wide';
import { HOLD_SECONDS } from './wording/what-happens';

/** Queue and card side by side; on a phone the one behind the other. */
export function ApprovalsDesk() {
  const { open, filters, setPlace } = usePlace();
  const queue = useQueue(filters);
  const items = useShownQueue(queue.items, open);
  const wide = useWide();
  const tenant = useTenantSlug();
  const { undo } = useDecide();
  const { holds, add, remove } = useHolds();

  const show = useCallback(
    (id: string | null, history: 'push' | 'replace' = 'replace') => void setPlace({ open: id }, { history }),
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
  const onDecided = ({ approval, summary, held }: Decided) => {
    if (approval.status !== 'rejected') follow(approval, summary, tenant);
    if (approval.status === 'approved' && held !== null) {
      add({ id: approval.id, summary, ...held });
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
      forget(id);
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
      run: () => (latest === undefined ? toast(...NOTHING_TO_UNDO) : void takeBack(latest.id)),
    },
    ...(wide || open === null ? [] : [{ label: 'Back to the queue', keys: 'escape', run: () => show(null) }]),
  ]);

  const undoing = { holds, onUndo: (id: string) => void takeBack(id) };
  return (
    <Page
      title={<DeskTitle open={open !== null} onBack={() => show(null)} />}
      actions={
        <>
          <Holds {...undoing} className="max-md:hidden" />
          {open !== null && <DeskSteps onStep={step} />}
        </>
      }
    >
      <Holds {...undoing} className="border-line border-b px-4 py-2 md:hidden [&>p]:flex-1" />
      <div className="flex min-h-0 flex-1">
        <QueueColumn
          queue={queue}
          items={items}
          filters={filters}
          open={open}
          onFilter={(change) => void setPlace({ ...change, open: null })}
          // On a phone the way back from a card is the browser's, too.
          onOpen={(id) => show(id, open === null ? 'push' : 'replace')}
        />
        {open !== null && (
          <section aria-label="Decision" className="flex min-h-0 min-w-0 flex-1 flex-col">
            <OpenItem
              key={open}
              id={open}
              item={items?.find(({ id }) => id === open)}
              onDecided={onDecided}
              onTakeBack={(id) => void takeBack(id)}
              onDone={openNext}
              onNext={() => openNext(open)}
              onOpen={(id) => show(id, 'push')}
            />
          </section>
        )}
      </div>
    </Page>
  );
}

const NOTHING_TO_UNDO = [
  'Nothing to undo',
  { tone: 'note', detail: `An approval can be undone for ${HOLD_SECONDS} seconds; nothing else can.` },
] as const;

/** Who reads by ear, or goes by the keyboard, begins at the top of the new card. */
function focusHeadline(): void {
  document.querySelector<HTMLElement>('[data-headline]')?.focus({ preventScroll: true });
}
