'use client';

import type { Run } from '@countersign/contracts';
import type { ReactNode } from 'react';
import { Go } from '../../../frame/go';
import { Button } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import { RUN_LOOKS } from '../../../kit/state';
import { TONE_GROUND } from '../../../kit/tone';
import { Until } from '../../../kit/until';
import { isAlive } from '../is-alive';
import { culprit } from '../story/problems';
import type { Story } from '../story/story';
import { counted, ENDING_WORDS, WAITING_FOR } from '../words';

interface RunBannerProps {
  run: Run;
  story: Story;
  onOpen: (id: string) => void;
}

/** Why the run stands where it stands, and the way to what it waits for, or to where it went wrong. */
export function RunBanner({ run, story, onOpen }: RunBannerProps) {
  const place = culprit(story);
  const why = whyOf(run);
  if (why === null) {
    return null;
  }
  const { tone } = RUN_LOOKS[run.status];
  return (
    <div
      className={cn(
        'flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5',
        TONE_GROUND[tone],
      )}
    >
      <p className="min-w-0 flex-1">{why}</p>
      {place !== null && !isAlive(run) && (
        <Button size="small" onClick={() => onOpen(place.id)}>
          Show where
        </Button>
      )}
    </div>
  );
}

/** Null where the state says it all. */
function whyOf(run: Run): ReactNode {
  if (run.status === 'waiting') {
    return run.waitingOn === null ? null : <Waits {...run.waitingOn} />;
  }
  if (run.statusReason !== null) {
    return (
      <>
        <InertText text={run.statusReason.message} />{' '}
        <span className="font-mono text-12 text-muted">{run.statusReason.code}</span>
      </>
    );
  }
  return ENDING_WORDS[run.status] ?? null;
}

function Waits({ approvals, outcomes, toolResults, until, why }: NonNullable<Run['waitingOn']>) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {approvals.map((id) => (
        <WaitLink
          key={id}
          id={id}
          words={approvals.length > 1 ? 'Waits for a person, one of several' : 'Waits for a person'}
        />
      ))}
      {outcomes.map((id) => (
        <WaitLink key={id} id={id} words="Nobody knows whether a call happened" />
      ))}
      {toolResults.length > 0 && (
        <span>
          Waits for the app: {counted(toolResults.length, 'result')} of{' '}
          <span className="font-mono text-12">
            {[...new Set(toolResults.map(({ tool }) => tool))].join(', ')}
          </span>
        </span>
      )}
      {isReason(why) && <span>{WAITING_FOR[why]}</span>}
      {until !== null && (
        <span className="text-muted">
          {approvals.length + outcomes.length + toolResults.length > 0 ? 'expires' : 'goes on'}{' '}
          <Until at={Date.parse(until)} />
        </span>
      )}
    </span>
  );
}

function isReason(why: string | null): why is keyof typeof WAITING_FOR {
  return why !== null && why in WAITING_FOR;
}

function WaitLink({ id, words }: { id: string; words: string }) {
  return (
    <span>
      {words}:{' '}
      <Go href={`/approvals?open=${id}`} className="font-medium underline underline-offset-4">
        open
      </Go>
    </span>
  );
}
