'use client';

import { ListTree, SearchX } from 'lucide-react';
import { Outcome } from '../../api/outcome';
import { Page } from '../../frame/page';
import { Button } from '../../kit/button';
import { Empty } from '../../kit/notice';
import { SkeletonRows } from '../../kit/skeleton';
import { useMedia } from '../../kit/use-media';
import { RunFilterBar } from './run-filter-bar';
import { type RunFilters, useRunFilters } from './run-filters';
import { RunTable } from './run-table';
import { useLiveRuns } from './use-live-runs';

/** The runs of the tenant, newest first, as narrow as the URL says. */
export function RunsPage() {
  const filters = useRunFilters();
  const wide = useMedia('(min-width: 48rem)');
  const runs = useLiveRuns(filters.query);
  return (
    <Page title="Runs" toolbar={<RunFilterBar filters={filters} />}>
      <Outcome
        of={runs}
        what="see the runs"
        skeleton={<SkeletonRows label="Loading runs" rows={20} lines={wide ? 1 : 2} />}
      >
        {(rows) =>
          rows.length === 0 ? (
            <NoRuns filters={filters} />
          ) : (
            <RunTable
              runs={rows}
              stale={runs.isPlaceholderData}
              more={runs.hasNextPage ? () => void runs.fetchNextPage() : undefined}
              loadingMore={runs.isFetchingNextPage}
            />
          )
        }
      </Outcome>
    </Page>
  );
}

function NoRuns({ filters: { narrowed, clear } }: { filters: RunFilters }) {
  return narrowed ? (
    <Empty icon={SearchX} title="No run matches" actions={<Button onClick={clear}>Clear the filters</Button>}>
      Runs are found by their id, operation, subject, or words of their output.
    </Empty>
  ) : (
    <Empty icon={ListTree} title="No runs yet">
      A run appears here as soon as your application posts one to{' '}
      <code className="font-mono text-12">/v1/runs</code>.
    </Empty>
  );
}
