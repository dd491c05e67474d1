'use client';

import type { Approval } from '@countersign/contracts';
import { Check, Pencil, X } from 'lucide-react';
import { useRef } from 'react';
import { type Action, useActions } from '../../../frame/actions';
import { useSession } from '../../../frame/session';
import { cn } from '../../../kit/cn';
import { useNow } from '../../../kit/use-now';
import { Conversation } from '../context/conversation';
import { Precedents } from '../context/precedents';
import { useTool } from '../data/use-approval';
import { useFirstSeen } from '../data/use-first-seen';
import { ApproveBar } from './approve-bar';
import type { Decided } from './decided';
import { Desk } from './desk';
import { EditDesk } from './edit-desk';
import { Ended } from './ended';
import { NoticeLine } from './notice-line';
import { RejectBar } from './reject-bar';
import { RequestBody } from './request-body';
import { useDecision } from './use-decision';
import { useOvertakenEdit } from './use-overtaken-edit';
import { whyBarred } from './why-barred';

interface OpenApprovalProps {
  approval: Approval;
  /** It stays open: what it rests on may be asked for. */
  settled: boolean;
  /** Its facts are on their way. */
  asking: boolean;
  onRefresh: () => void;
  onDecided: (decided: Decided) => void;
  onTakeBack: (id: string) => void;
  onNext: () => void;
  onOpen: (id: string) => void;
}

/** One request for a signature, with everything it takes to answer it. */
export function OpenApproval(props: OpenApprovalProps) {
  const { approval, settled, asking, onRefresh, onDecided, onTakeBack, onNext, onOpen } = props;
  const { actor, tenant, can } = useSession();
  const { data: tool, error: toolProblem } = useTool(approval.tool, approval.toolVersion);
  const first = useFirstSeen(approval);
  const decision = useDecision(approval, onDecided);
  const messageField = useRef<HTMLInputElement>(null);
  const now = useNow(1_000);
  const barred = whyBarred(approval, {
    selfId: actor.id,
    role: tenant.role,
    mayDecide: can('approvals:decide'),
    now: now ?? 0,
  });
  const pending = approval.status === 'pending';
  const open = pending && barred === null && decision.refusal?.final !== true;
  const mode = open ? decision.mode : 'look';
  const { setMode, approve } = decision;
  useOvertakenEdit(approval, decision, actor.id);

  const answers: readonly Action[] = [
    { label: 'Approve', keys: 'a', icon: Check, run: () => approve() },
    { label: 'Edit, then approve', keys: 'e', icon: Pencil, run: () => setMode('edit') },
    { label: 'Reject', keys: 'r', icon: X, run: () => setMode('reject') },
    { label: 'Write a message', keys: 'm', palette: false, run: () => messageField.current?.focus() },
  ];
  useActions('Decide', open && mode === 'look' ? answers : []);
  useActions(
    'Decision',
    mode === 'look' ? [] : [{ label: 'Back', keys: 'escape', palette: false, run: () => setMode('look') }],
  );

  const body = { approval, tool, first, asking, onRefresh, selfId: actor.id };
  const noForm = mode === 'edit' && tool === undefined && toolProblem !== null;
  const notice =
    decision.refusal !== null ? (
      <NoticeLine {...decision.refusal} />
    ) : (
      noForm && <NoticeLine title="The form could not be made" detail={toolProblem.detail} />
    );
  const context = settled && (
    <>
      <Conversation runId={approval.runId} className="xl:flex-1" />
      <Precedents
        approvalId={approval.id}
        selfId={actor.id}
        onOpen={onOpen}
        className="shrink-0 border-line border-t xl:max-h-[45%] xl:overflow-y-auto"
      />
    </>
  );
  if (mode === 'edit' && tool !== undefined) {
    return (
      <EditDesk key={approval.argumentsDigest} {...{ approval, tool, decision, notice, context, body }} />
    );
  }
  return (
    <Desk
      card={
        <div className={cn(!pending && 'text-muted')}>
          <RequestBody {...body} />
        </div>
      }
      context={context}
      bar={
        <>
          {notice}
          {!pending ? (
            <Ended approval={approval} selfId={actor.id} onNext={onNext} />
          ) : decision.refusal?.final === true ? null : mode === 'reject' ? (
            <RejectBar
              message={decision.message}
              busy={decision.busy}
              onReject={decision.reject}
              onBack={() => setMode('look')}
            />
          ) : (
            <ApproveBar
              approval={approval}
              message={decision.message}
              onMessage={decision.setMessage}
              messageField={messageField}
              busy={decision.busy}
              barred={barred}
              opensEdit={mode === 'edit' && toolProblem === null}
              onApprove={() => approve()}
              onEdit={() => setMode('edit')}
              onReject={() => setMode('reject')}
              onTakeBack={
                approval.decisions.some(({ by }) => by.id === actor.id) ? () => onTakeBack(approval.id) : null
              }
            />
          )}
        </>
      }
    />
  );
}
