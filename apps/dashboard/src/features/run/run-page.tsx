'use client';

import type { Run } from '@countersign/contracts';
import { ArrowLeft, SearchX } from 'lucide-react';
import { Outcome } from '../../api/outcome';
import { Go } from '../../frame/go';
import { Page } from '../../frame/page';
import { Button } from '../../kit/button';
import { Empty } from '../../kit/notice';
import { RunName } from '../../kit/run-name';
import { useRun } from './data/use-run';
import { RunActions } from './header/run-actions';
import { RunHeader } from './header/run-header';
import { RunSkeleton } from './run-skeleton';
import { RunTabs } from './run-tabs';

/** One run, for who wants the line where it went wrong. */
export function RunPage({ runId }: { runId: string }) {
  const told = useRun(runId);
  const { run, story } = told;
  const known = run.data;
  return (
    <Page
      title={<RunTitle run={known} />}
      actions={known !== undefined && <RunActions run={known} creation={story.creation} />}
    >
      {run.error?.status === 404 && known === undefined ? (
        <NoSuchRun />
      ) : (
        <Outcome of={run} what="see this run" skeleton={<RunSkeleton />}>
          {(data) => (
            <>
              <RunHeader run={data} story={story} />
              <RunTabs runId={runId} {...told} />
            </>
          )}
        </Outcome>
      )}
    </Page>
  );
}

function RunTitle({ run }: { run: Run | undefined }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Go href="/runs" className="flex items-center rounded-4 font-normal text-muted hover:text-ink">
        <ArrowLeft aria-hidden className="size-4 md:hidden" />
        <span className="max-md:sr-only">Runs</span>
      </Go>
      <span aria-hidden className="font-normal text-faint">
        /
      </span>
      <span className="truncate">{run === undefined ? 'Run' : <RunName run={run} />}</span>
    </span>
  );
}

function NoSuchRun() {
  return (
    <Empty
      icon={SearchX}
      title="There is no such run here"
      actions={
        <Button asChild>
          <Go href="/runs">All runs</Go>
        </Button>
      }
    >
      It may belong to another tenant: a link shows its run only to members of that tenant.
    </Empty>
  );
}
