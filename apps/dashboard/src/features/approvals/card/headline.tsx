'use client';

import type { Approval } from '@countersign/contracts';
import { Go } from '../../../frame/go';
import { formatExactMoney } from '../../../kit/decimal';
import { shortId } from '../../../kit/id';
import { InertText } from '../../../kit/inert-text';
import { ApprovalState } from '../../../kit/state';
import { Time } from '../../../kit/time';
import { TimeLeftLabel } from '../queue/time-left-label';
import { endingOf } from '../wording/closed';
import { isSameMoney } from '../wording/money-change';
import { summarize } from '../wording/summary';
import { EndingWords } from './ended';

interface HeadlineProps {
  approval: Approval;
  selfId: string;
  /** The money of the call as it was asked for, where `approval` shows an edit of it. */
  asked?: Approval['money'];
}

/** What would be done, who asks for it, and how long there is. */
export function Headline({ approval, selfId, asked = approval.money }: HeadlineProps) {
  const { agent, runId, requestedAt, expiresAt, status } = approval;
  const ending = endingOf(approval, selfId);
  return (
    <header className="px-5 pt-4 pb-4">
      <div className="mb-1.5 flex items-center justify-between gap-3 text-12">
        <span className="flex flex-wrap items-center gap-x-1.5">
          <ApprovalState status={status} />
          {ending !== null && <EndingWords ending={ending} />}
        </span>
        {status === 'pending' && <TimeLeftLabel expiresAt={expiresAt} long />}
      </div>
      <h2 tabIndex={-1} data-headline className="text-balance font-semibold text-20 outline-none!">
        <InertText text={summarize(approval)} />
        {asked !== null && !isSameMoney(asked, approval.money) && (
          <span className="font-normal text-muted">
            {' '}
            (asked: {formatExactMoney(asked.amount, asked.currency)})
          </span>
        )}
      </h2>
      <p className="mt-1 flex flex-wrap gap-x-1.5 text-12 text-muted">
        <span>
          asked by {agent.name} v{agent.version}
        </span>
        <span aria-hidden>·</span>
        <Go
          href={`/runs/${runId}`}
          className="rounded-4 font-mono underline decoration-line-strong underline-offset-4 hover:text-ink"
        >
          {shortId(runId)}
        </Go>
        <span aria-hidden>·</span>
        <Time at={requestedAt} />
      </p>
    </header>
  );
}
