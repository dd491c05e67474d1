'use client';

import type { CostMetrics, EndedRunMetrics } from '@countersign/contracts';
import { ChartColumn, Table2 } from 'lucide-react';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { Outcome } from '../../api/outcome';
import { IconButton } from '../../kit/button';
import { shareOf } from '../../kit/decimal';
import { Money } from '../../kit/money';
import { Skeleton } from '../../kit/skeleton';
import { useScopeHere } from './behind';
import { Budgets } from './budgets';
import { Figure, Nothing, Panel, Row } from './panel';
import { PARTS, type Part } from './scope';
import { seriesOf } from './series';
import { SpendChart } from './spend-chart';
import { DaysTable, PartsTable, percent } from './spend-tables';
import { useMetrics } from './use-metrics';

interface MoneyRowProps {
  /** The names of tenants by their ids; for operators of the platform. */
  tenantNames: ReadonlyMap<string, string>;
  hrefOfTenant: (id: string) => string;
}

/** What model calls cost: by time and part, against the budgets, and what of it was wasted. */
export function MoneyRow({ tenantNames, hrefOfTenant }: MoneyRowProps) {
  const scope = useScopeHere();
  const { by, unit, from, to, platform } = scope;
  const [asTable, setAsTable] = useQueryState('table', parseAsBoolean.withDefault(false));
  const cost = useMetrics<CostMetrics>(scope, 'cost', { groupBy: `${unit},${by}` });
  const runs = useMetrics<EndedRunMetrics>(scope, 'runs', { groupBy: 'status' });
  const completed = runs.data?.data.find(({ key }) => key === 'completed');
  const nameOf = (key: string | null): string => {
    if (key === null) return NONE[by];
    return by === 'tenant' ? (tenantNames.get(key) ?? key) : key;
  };
  return (
    <Row
      title="Money"
      figures={
        cost.data !== undefined && (
          <>
            <Figure label="spent">
              <Money amount={cost.data.total.costUsd} />
            </Figure>
            {completed !== undefined && (
              <Figure label="per completed run">
                <Money amount={shareOf(completed.costUsd, completed.runs)} />
              </Figure>
            )}
            <Figure
              label={`wasted (${percent(Number(cost.data.total.wasteUsd), Number(cost.data.total.costUsd))})`}
            >
              <Money amount={cost.data.total.wasteUsd} />
            </Figure>
          </>
        )
      }
    >
      <Panel
        title={`Spend by ${unit} (UTC) and ${PARTS[by].toLowerCase()}`}
        className={platform === null ? 'lg:col-span-6' : 'lg:col-span-8'}
        aside={
          <IconButton
            label={asTable ? 'Show the chart' : 'Show the table behind it'}
            size="small"
            variant="ghost"
            onClick={() => void setAsTable(!asTable)}
          >
            {asTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          </IconButton>
        }
      >
        <Outcome of={cost} what="see what was spent" skeleton={<Skeleton className="h-53 w-full" />}>
          {(answer) => {
            const series = seriesOf(answer, from, to, unit);
            const names = series.parts.map(({ key, others }) => (others ? 'All others' : nameOf(key)));
            if (series.parts.length === 0) return <Nothing>Nothing was spent in this time.</Nothing>;
            return asTable ? (
              <DaysTable series={series} unit={unit} names={names} />
            ) : (
              <SpendChart series={series} unit={unit} names={names} />
            );
          }}
        </Outcome>
      </Panel>
      {/* Where it could not be read, the chart says so. */}
      {(cost.data !== undefined || cost.error === null) && (
        <Panel
          title={`By ${PARTS[by].toLowerCase()}`}
          className={platform === null ? 'lg:col-span-3' : 'lg:col-span-4'}
        >
          {cost.data === undefined ? (
            <Skeleton className="h-20 w-full" />
          ) : cost.data.data.length === 0 ? (
            <Nothing>Nothing was spent in this time.</Nothing>
          ) : (
            <PartsTable
              label={PARTS[by]}
              series={seriesOf(cost.data, from, to, unit)}
              total={cost.data.total.costUsd}
              by={by}
              names={seriesOf(cost.data, from, to, unit).parts.map(({ key, others }) =>
                others ? 'All others' : nameOf(key),
              )}
              hrefOfTenant={hrefOfTenant}
            />
          )}
        </Panel>
      )}
      {platform === null && <Budgets />}
    </Row>
  );
}

const NONE: Readonly<Record<Part, string>> = {
  agent: 'No agent',
  model: 'No model',
  tool: 'No tool asked for',
  tenant: 'No tenant',
};
