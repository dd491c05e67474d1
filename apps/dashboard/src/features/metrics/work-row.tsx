'use client';

import type {
  EndedRunMetrics,
  LatencyMetrics,
  OperatorPresentMetrics,
  PresentMetrics,
  RunStatus,
} from '@countersign/contracts';
import { Outcome } from '../../api/outcome';
import { Go } from '../../frame/go';
import { Count } from '../../kit/count';
import { Money } from '../../kit/money';
import { Skeleton } from '../../kit/skeleton';
import { RunState } from '../../kit/state';
import { Time } from '../../kit/time';
import { BarTable } from './bar-table';
import { useBehind, useScopeHere } from './behind';
import { LatencyTable } from './latency-table';
import { Figure, Nothing, Panel, Row } from './panel';
import { useFigures, useMetrics } from './use-metrics';

/** How runs ended, how long things took, and what is under way. */
export function WorkRow() {
  const scope = useScopeHere();
  const runs = useMetrics<EndedRunMetrics>(scope, 'runs', { groupBy: 'status' });
  const latency = useMetrics<LatencyMetrics>(scope, 'latency');
  const behind = useBehind();
  const ended = runs.data?.data.reduce((sum, row) => sum + row.runs, 0) ?? 0;
  return (
    <Row title="Work" figures={<Present />}>
      <Panel title="Runs by how they ended" className="lg:col-span-6">
        <Outcome of={runs} what="see how runs ended" skeleton={<Skeleton className="h-20 w-full" />}>
          {({ data }) =>
            data.length === 0 ? (
              <Nothing>No run ended in this time.</Nothing>
            ) : (
              <BarTable
                label="Runs by how they ended"
                columns={['Outcome', 'Spend', 'Runs']}
                rows={data.map((row) => ({
                  id: row.key ?? '',
                  label: <RunState status={row.key as RunStatus} />,
                  length: row.runs / ended,
                  tone: row.key === 'failed' || row.key === 'refused' ? 'red' : 'neutral',
                  figures: [
                    <Money key="cost" amount={row.costUsd} className="text-muted" />,
                    <Count key="runs" value={row.runs} unit="runs" />,
                  ],
                  href: behind({ moment: 'ended', status: row.key ?? '' }),
                }))}
              />
            )
          }
        </Outcome>
      </Panel>
      <Panel title="How long things took" className="lg:col-span-6">
        <Outcome of={latency} what="see how long things took" skeleton={<Skeleton className="h-20 w-full" />}>
          {(answer) => <LatencyTable {...answer} />}
        </Outcome>
      </Panel>
    </Row>
  );
}

/** What is under way now. */
function Present() {
  const { platform } = useScopeHere();
  const { data } = useFigures<PresentMetrics | OperatorPresentMetrics>({ platform }, 'present');
  if (data === undefined) return null;
  const all = 'data' in data ? data.data : [data];
  const sum = (name: 'queued' | 'running' | 'waiting') => all.reduce((total, each) => total + each[name], 0);
  const oldest = all.flatMap(({ oldestQueuedAt }) => oldestQueuedAt ?? []).sort()[0];
  const shown = (name: 'queued' | 'running' | 'waiting') => (
    <Figure label={`${name} now`}>
      {platform === null ? (
        <Go href={`/runs?status=${name}`} className="rounded-4 hover:text-accent-text hover:underline">
          <Count value={sum(name)} unit="runs" />
        </Go>
      ) : (
        <Count value={sum(name)} unit="runs" />
      )}
    </Figure>
  );
  return (
    <>
      {shown('running')}
      {shown('waiting')}
      {shown('queued')}
      {oldest !== undefined && (
        <Figure label="the oldest in the queue">
          <Time at={oldest} />
        </Figure>
      )}
    </>
  );
}
