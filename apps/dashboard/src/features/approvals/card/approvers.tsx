'use client';

import type { Approval } from '@countersign/contracts';
import { Check } from 'lucide-react';
import { InertText } from '../../../kit/inert-text';
import { Time } from '../../../kit/time';
import { nameOf } from '../wording/closed';
import { capitalized } from '../wording/words';
import { Row } from './row';

/** Who has approved so far, and who else may, where more than one signature is asked for. */
export function Approvers({ approval, selfId }: { approval: Approval; selfId: string }) {
  const { requiredApprovals, decisions, status } = approval;
  if (requiredApprovals < 2) {
    return null;
  }
  const mine = decisions.some(({ by }) => by.id === selfId);
  return (
    <Row label="Signatures">
      <p>
        <span className="figures font-medium">
          {decisions.length} of {requiredApprovals}
        </span>
        {status === 'pending' && <span className="text-muted"> · {whoElse(decisions.length, mine)}</span>}
      </p>
      <ul>
        {decisions.map((decision) => (
          <li key={decision.by.id} className="mt-1 flex items-start gap-1.5">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-green" />
            <span>
              <InertText text={capitalized(nameOf(decision, selfId))} />{' '}
              <Time at={decision.at} className="text-muted" />
              {decision.message !== null && (
                <InertText text={`“${decision.message}”`} lines className="block text-muted" />
              )}
            </span>
          </li>
        ))}
      </ul>
    </Row>
  );
}

function whoElse(count: number, mine: boolean): string {
  if (count === 0) return 'two different members of this tenant have to approve';
  return mine
    ? 'another reviewer, operator or admin has to approve, too'
    : 'one more has to approve: any member who reviews, but not the same one';
}
