'use client';

import type { FailureMetrics } from '@countersign/contracts';
import { Outcome } from '../../api/outcome';
import { Count } from '../../kit/count';
import { hint } from '../../kit/hint';
import { InertText } from '../../kit/inert-text';
import { Skeleton } from '../../kit/skeleton';
import { BarTable } from './bar-table';
import { type Behind, useBehind, useScopeHere } from './behind';
import { Breakers } from './breakers';
import { Figure, Nothing, Panel, Row } from './panel';
import { percent } from './spend-tables';
import { useMetrics } from './use-metrics';

/** What went wrong: with runs, with tools, with providers. */
export function TroubleRow() {
  const scope = useScopeHere();
  const runs = useMetrics<FailureMetrics>(scope, 'failures', { groupBy: 'reason' });
  return (
    <Row
      title="Trouble"
      figures={
        runs.data !== undefined && (
          <Figure label={`of ${runs.data.total} runs did not end well`}>
            <Count value={runs.data.failures} unit="runs" />
          </Figure>
        )
      }
    >
      <Failures
        groupBy="reason"
        title="Runs by reason"
        first="Reason"
        none="Every run ended well."
        behind={(reason, status) => ({ moment: 'ended', ...(reason === status ? { status } : { reason }) })}
      />
      <Failures
        groupBy="tool"
        title="Tools by error rate"
        first="Tool"
        none="No tool was called."
        behind={(tool) => ({ moment: 'failed', tool })}
      />
      <Failures
        groupBy="provider"
        title="Providers by rate of failed attempts"
        first="Provider"
        none="No model was called."
        behind={(model) => ({ moment: 'failed', model })}
      />
      {scope.platform === null && <Breakers />}
    </Row>
  );
}

type Failed = FailureMetrics['data'][number];

const rateOf = ({ failures, total }: Pick<Failed, 'failures' | 'total'>) =>
  total === 0 ? 0 : failures / total;
const byRate = (parts: readonly Failed[]) => [...parts].sort((a, b) => rateOf(b) - rateOf(a));

interface FailuresProps {
  groupBy: FailureMetrics['groupBy'];
  title: string;
  first: string;
  none: string;
  behind: (key: string, cause: string) => Behind;
}

function Failures({ groupBy, title, first, none, behind }: FailuresProps) {
  const scope = useScopeHere();
  const failures = useMetrics<FailureMetrics>(scope, 'failures', { groupBy });
  const hrefOf = useBehind();
  return (
    <Panel title={title}>
      <Outcome of={failures} what="see what failed" skeleton={<Skeleton className="h-20 w-full" />}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{none}</Nothing>
          ) : (
            <BarTable
              label={title}
              columns={groupBy === 'reason' ? [first, 'Of all', 'Runs'] : [first, 'Rate', 'Failed']}
              rows={byRate(data).map(({ key, total, failures: failed, causes }) => ({
                id: key,
                label: <InertText text={key === '' ? '(no name)' : key} />,
                length: rateOf({ total, failures: failed }),
                tone: 'red',
                figures: [
                  <span key="rate" className="figures text-muted">
                    {percent(failed, total)}
                  </span>,
                  <span
                    key="count"
                    {...hint(causes.map((each) => `${each.code}  ${each.failures}`).join('\n'))}
                  >
                    <Count value={failed} bare />
                  </span>,
                ],
                href: failed === 0 ? null : hrefOf(behind(key, causes[0]?.code ?? '')),
              }))}
            />
          )
        }
      </Outcome>
    </Panel>
  );
}
