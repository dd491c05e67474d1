'use client';

import type { Run } from '@countersign/contracts';
import type { ReactNode } from 'react';
import { Go } from '../../../frame/go';
import { Button } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import { RUN_LOOKS, RunState } from '../../../kit/state';
import { Time } from '../../../kit/time';
import { TONE_GROUND } from '../../../kit/tone';
import { isAlive } from '../is-alive';
import { culprit } from '../story/problems';
import type { Story } from '../story/story';
import { counted, ENDING_WORDS, WAITING_FOR } from '../words';

interface RunBannerProps {
  run: Run;
  story: Story;
  onOpen: (id: string) => void;
}

/** Where the run stands and why, and the way to what it waits for, or to where it went wrong. */
export function RunBanner({ run, story, onOpen }: RunBannerProps) {
  const place = culprit(story);
  const { tone } = RUN_LOOKS[run.status];
  const stands = tone === 'red' || tone === 'amber';
  return (
    <div
      className={cn(
        'flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1.5',
        stands && TONE_GROUND[tone],
      )}
    >
      <RunState status={run.status} className="font-medium" />
      <p className="min-w-0 flex-1">{whyOf(run, story)}</p>
      {place !== null && !isAlive(run) && (
        <Button size="small" onClick={() => onOpen(place.id)}>
          Show where
        </Button>
      )}
    </div>
  );
}

function whyOf(run: Run, story: Story): ReactNode {
  if (run.status === 'waiting') {
    return <Waits run={run} />;
  }
  if (run.statusReason !== null) {
    return (
      <>
        <InertText text={run.statusReason.message} />{' '}
        <span className="font-mono text-12 text-muted">{run.statusReason.code}</span>
      </>
    );
  }
  switch (run.status) {
    case 'queued':
      return <span className="text-muted">Waits for a worker</span>;
    case 'running':
      return <span className="text-muted">{nowDoing(story)}</span>;
    case 'completed':
      return null;
    default:
      return ENDING_WORDS[run.status];
  }
}

function nowDoing({ asking, calls }: Story): string {
  if (asking !== null) {
    return `Turn ${asking.turn}: asking the model`;
  }
  const executing = [...calls.values()].filter(({ status }) => status === 'executing');
  return executing.length === 0 ? '' : `Executes ${executing.map(({ tool }) => tool).join(', ')}`;
}

function Waits({ run: { waitingOn } }: { run: Run }) {
  if (waitingOn === null) {
    return null;
  }
  const { approvals, outcomes, toolResults, until, why } = waitingOn;
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
          goes on <Time at={until} className="text-12" />
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
