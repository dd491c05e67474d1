'use client';

import type { Run } from '@countersign/contracts';
import { useRouter } from 'next/navigation';
import type { MouseEvent } from 'react';
import { Go, useHref } from '../../frame/go';
import { cn } from '../../kit/cn';
import { Count } from '../../kit/count';
import { InertText } from '../../kit/inert-text';
import { Money } from '../../kit/money';
import { RunName } from '../../kit/run-name';
import { RunState } from '../../kit/state';
import { subjectId } from '../../kit/subject-id';
import { Duration, Time } from '../../kit/time';

/** The same for the head and for each row. */
export const COLUMNS =
  'grid grid-cols-[108px_minmax(0,1fr)_136px_64px_88px_88px] items-center gap-x-4 px-4 lg:grid-cols-[108px_minmax(0,1fr)_152px_128px_72px_64px_96px_88px]';

interface RunRowProps {
  run: Run;
  index: number;
  /** From the top of the list, in pixels. */
  top: number;
  height: number;
  wide: boolean;
}

/** One run: a line where there is room, else two. A click anywhere opens it. */
export function RunRow({ run, index, top, height, wide }: RunRowProps) {
  const router = useRouter();
  const path = useHref()(`/runs/${run.id}`);
  const open = (event: MouseEvent<HTMLElement>) => {
    const onLink = event.target instanceof Element && event.target.closest('a, button') !== null;
    const selecting = window.getSelection()?.isCollapsed === false;
    if (!onLink && !selecting && !event.metaKey && !event.ctrlKey) {
      router.push(path);
    }
  };
  const Cells = wide ? OneLine : TwoLines;
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      onClick={open}
      className={cn(
        'absolute inset-x-0 border-line-soft border-b hover:bg-hover has-[a:focus-visible]:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-ring has-[a:focus-visible]:-outline-offset-2',
        wide ? COLUMNS : 'flex flex-col justify-center px-4 active:bg-hover',
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <Cells run={run} />
    </tr>
  );
}

interface CellsProps {
  run: Run;
}

function OneLine({ run }: CellsProps) {
  return (
    <>
      <td>
        <RunState status={run.status} />
      </td>
      <td className="flex min-w-0 items-baseline gap-3">
        <RunLink run={run} />
        {run.statusReason !== null && (
          <InertText text={run.statusReason.message} className="min-w-0 flex-1 truncate text-12 text-faint" />
        )}
      </td>
      <td className="truncate text-muted">
        {run.agent.name} <span className="text-faint">v{run.agent.version}</span>
      </td>
      <td className="truncate text-muted max-lg:hidden">
        <SubjectOf run={run} />
      </td>
      <td className="text-right text-12">
        <Money amount={run.costUsd} />
      </td>
      <td className="text-right text-12 text-muted max-lg:hidden">
        <Count value={run.usage.inputTokens + run.usage.outputTokens} unit="tokens" />
      </td>
      <td className="text-right text-12 text-muted">
        <Duration from={run.startedAt} to={run.finishedAt} />
      </td>
      <td className="text-right text-12 text-muted">
        <Time at={run.createdAt} />
      </td>
    </>
  );
}

function TwoLines({ run }: CellsProps) {
  return (
    <td className="flex flex-col gap-1">
      <span className="flex items-baseline justify-between gap-3">
        <RunLink run={run} />
        <Time at={run.createdAt} className="text-12 text-muted" />
      </span>
      <span className="flex items-center gap-2 text-12 text-muted">
        <RunState status={run.status} />
        <span aria-hidden>·</span>
        <span className="min-w-0 flex-1 truncate">
          {run.statusReason === null ? (
            <>
              {run.agent.name}
              {run.subject !== null && (
                <>
                  {' · '}
                  <SubjectOf run={run} />
                </>
              )}
            </>
          ) : (
            <InertText text={run.statusReason.message} />
          )}
        </span>
        <Money amount={run.costUsd} />
      </span>
    </td>
  );
}

function RunLink({ run }: CellsProps) {
  return (
    <Go
      href={`/runs/${run.id}`}
      data-stop
      className="min-w-0 shrink-0 truncate font-medium focus-visible:outline-none max-md:shrink md:max-w-[70%]"
    >
      <RunName run={run} />
    </Go>
  );
}

function SubjectOf({ run }: { run: Run }) {
  const id = subjectId(run.subject);
  return id === null ? <span className="text-faint">–</span> : <InertText text={id} />;
}
