import type { ReactNode } from 'react';
import { writeExactly } from '../../../api/exact-json';
import { Go } from '../../../frame/go';
import { InertText } from '../../../kit/inert-text';
import { duration } from '../../../kit/times';
import { Until } from '../../../kit/until';
import type { NameOf } from '../data/use-names';
import { argumentsLine } from '../story/arguments';
import type { ApprovalStory, Decision } from '../story/call-draft';
import { ruleWords } from '../words';

interface ApprovalLinesProps {
  approval: ApprovalStory;
  nameOf: NameOf;
}

/** Why a person was asked, and who decided what. */
export function ApprovalLines({ approval, nameOf }: ApprovalLinesProps) {
  const { reason, policyRule, policyVersion, decisions, status, required } = approval;
  return (
    <ul className="flex flex-col gap-0.5 text-12 text-muted">
      <li>
        A person was asked: <InertText text={reason} className="text-ink" />{' '}
        <span className="text-faint">({ruleWords(policyRule, policyVersion)})</span>
      </li>
      {decisions.map((decision) => (
        <DecisionLine
          key={`${decision.by.id}/${decision.at}`}
          decision={decision}
          approval={approval}
          nameOf={nameOf}
        />
      ))}
      {status === 'pending' && (
        <li className="text-amber">
          {decisions.length > 0 && `${required - decisions.length} more to approve. `}
          Waits for a person:{' '}
          <Go href={`/approvals?open=${approval.id}`} className="font-medium underline underline-offset-4">
            open
          </Go>
          , expires <Until at={approval.expiresAt} />
        </li>
      )}
      {status === 'expired' && <li className="text-red">Nobody decided in time.</li>}
      {status === 'cancelled' && <li>The request was withdrawn before anybody decided.</li>}
    </ul>
  );
}

function DecisionLine({ decision, approval, nameOf }: ApprovalLinesProps & { decision: Decision }) {
  const { by, message, edited, at } = decision;
  const verb =
    decision.decision === 'reject' ? 'rejected it' : edited === null ? 'approved' : 'changed it and approved';
  return (
    <li>
      <span className={decision.decision === 'reject' ? 'text-red' : 'text-ink'}>
        <InertText text={nameOf(by)} /> {verb}
      </span>{' '}
      after {duration(at - approval.requestedAt)}
      {message !== null && message !== '' && (
        <Quoted>
          <InertText text={message} lines />
        </Quoted>
      )}
      {edited !== null && (
        <span className="block font-mono">
          <span className="text-faint">ran with </span>
          <InertText text={argumentsLine(edited.arguments, writeExactly)} />
        </span>
      )}
    </li>
  );
}

function Quoted({ children }: { children: ReactNode }) {
  return <>: “{children}”</>;
}
