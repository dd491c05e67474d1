'use client';

import type { Budget } from '@countersign/contracts';
import { Outcome } from '../../api/outcome';
import { type Page, useRead } from '../../api/use-read';
import { useSession } from '../../frame/session';
import { hint } from '../../kit/hint';
import { InertText } from '../../kit/inert-text';
import { Money } from '../../kit/money';
import { Skeleton } from '../../kit/skeleton';
import { Nothing, Panel } from './panel';
import { timeLabel } from './times';

const REFETCH_MS = 30_000;

/** The tenant's budgets: what of each window is spent, what is reserved for calls under way, and its limit. */
export function Budgets() {
  const { can } = useSession();
  const budgets = useRead<Page<Budget>>(
    '/v1/budgets',
    {},
    { enabled: can('agents:read'), every: REFETCH_MS },
  );
  return (
    <Panel title="Budgets now" className="lg:col-span-3">
      <Outcome of={budgets} what="see the budgets" skeleton={<Skeleton className="h-10 w-full" />}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>No budget is set.</Nothing>
          ) : (
            <ul className="flex flex-col gap-3">
              {data.map((budget) => (
                <OneBudget key={`${budget.scope} ${budget.period}`} {...budget} />
              ))}
            </ul>
          )
        }
      </Outcome>
    </Panel>
  );
}

const PERIOD_WORDS = { day: 'today', month: 'this month', total: 'in total' } as const;

function OneBudget({ scope, period, limitUsd, spentUsd, reservedUsd, resetsAt }: Budget) {
  const limit = Math.max(Number(limitUsd), Number.MIN_VALUE);
  const spent = Math.min(Number(spentUsd) / limit, 1);
  const reserved = Math.min(Number(reservedUsd) / limit, 1 - spent);
  const tone = spent >= 1 ? 'bg-red/70' : spent + reserved >= 0.8 ? 'bg-amber/70' : 'bg-line-strong';
  return (
    <li>
      <p className="flex gap-2">
        <span className="min-w-0 flex-1 truncate">
          <InertText text={scope === 'tenant' ? 'All runs' : scope} /> {PERIOD_WORDS[period]}
        </span>
        <span className="shrink-0 text-muted">
          <Money amount={spentUsd} /> of <Money amount={limitUsd} />
        </span>
      </p>
      <span
        aria-hidden
        className="mt-1 flex h-1 overflow-hidden rounded-full bg-sunken"
        {...hint('Spent, then reserved')}
      >
        <span className={`h-full ${tone}`} style={{ width: `${spent * 100}%` }} />
        <span className="hatched h-full text-faint" style={{ width: `${reserved * 100}%` }} />
      </span>
      <p className="mt-0.5 text-11 text-faint">
        <Money amount={reservedUsd} /> reserved
        {resetsAt !== null && `, begins anew ${timeLabel(Date.parse(resetsAt), 'day')}`}
      </p>
    </li>
  );
}
