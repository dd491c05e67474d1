'use client';

import type { ApprovalMetrics } from '@countersign/contracts';
import { Outcome } from '../../api/outcome';
import { Go } from '../../frame/go';
import { Count } from '../../kit/count';
import { InertText } from '../../kit/inert-text';
import { ruleWords } from '../../kit/policy-rule';
import { Skeleton } from '../../kit/skeleton';
import { ApprovalState } from '../../kit/state';
import { duration } from '../../kit/times';
import { BarTable } from './bar-table';
import { useScopeHere } from './behind';
import { Figure, Nothing, Panel, Row } from './panel';
import { percent } from './spend-tables';
import { useMetrics } from './use-metrics';

const ENDINGS = ['approved', 'rejected', 'expired', 'cancelled'] as const;

/** What people were asked, how they decided, and how long they took. */
export function PeopleRow() {
  const scope = useScopeHere();
  const approvals = useMetrics<ApprovalMetrics>(scope, 'approvals');
  return (
    <Row title="People" figures={approvals.data !== undefined && <Figures {...approvals.data} />}>
      <Panel title="What became of approvals" className="lg:col-span-6">
        <Outcome of={approvals} what="see the approvals" skeleton={<Skeleton className="h-20 w-full" />}>
          {(answer) => <Endings {...answer} />}
        </Outcome>
      </Panel>
      <Panel title="By the rule that asked" className="lg:col-span-6">
        <Outcome of={approvals} what="see the approvals" skeleton={<Skeleton className="h-20 w-full" />}>
          {({ rules }) => <Rules rules={rules} />}
        </Outcome>
      </Panel>
    </Row>
  );
}

function Figures({ pending, decisionTime: { p50Ms, p95Ms } }: ApprovalMetrics) {
  const { platform } = useScopeHere();
  return (
    <>
      <Figure label="waiting now">
        {platform === null ? (
          <Go href="/approvals" className="rounded-4 hover:text-accent-text hover:underline">
            <Count value={pending} unit="approvals" />
          </Go>
        ) : (
          <Count value={pending} unit="approvals" />
        )}
      </Figure>
      {p50Ms !== null && (
        <Figure label="to decide (p50)">
          <span className="spans">{duration(p50Ms)}</span>
        </Figure>
      )}
      {p95Ms !== null && (
        <Figure label="p95">
          <span className="spans">{duration(p95Ms)}</span>
        </Figure>
      )}
    </>
  );
}

function Endings(approvals: ApprovalMetrics) {
  const total = ENDINGS.reduce((sum, ending) => sum + approvals[ending], 0);
  if (total === 0) return <Nothing>No approval was closed in this time.</Nothing>;
  return (
    <BarTable
      label="What became of approvals"
      columns={['Ending', 'Share', 'Approvals']}
      rows={ENDINGS.map((ending) => ({
        id: ending,
        label: <ApprovalState status={ending} />,
        length: approvals[ending] / total,
        figures: [
          <span key="share" className="figures text-muted">
            {percent(approvals[ending], total)}
          </span>,
          <Count key="count" value={approvals[ending]} unit="approvals" />,
        ],
        href: null,
      }))}
    />
  );
}

function Rules({ rules }: Pick<ApprovalMetrics, 'rules'>) {
  if (rules.length === 0) return <Nothing>No rule asked for a signature.</Nothing>;
  return (
    <BarTable
      label="By the rule that asked"
      columns={['Tool and rule', 'Edited', 'Rejected', 'Approved']}
      rows={rules.map(({ tool, policyRule, approved, edited, rejected, expired }) => {
        const decided = approved + rejected + expired;
        return {
          id: `${tool} ${policyRule}`,
          label: (
            <>
              <InertText text={tool} />{' '}
              <span className="text-faint max-md:block max-md:truncate max-md:text-12">
                {ruleWords(policyRule)}
              </span>
              {decided >= ALWAYS && approved === decided && edited === 0 && (
                <span className="text-amber"> always approved</span>
              )}
            </>
          ),
          length: decided === 0 ? 0 : approved / decided,
          figures: [edited, rejected, approved].map((count, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is
            <Count key={index} value={count} className={index < 2 ? 'text-muted' : ''} />
          )),
          href: null,
        };
      })}
    />
  );
}

/** So many decisions in a row make a habit. */
const ALWAYS = 5;
