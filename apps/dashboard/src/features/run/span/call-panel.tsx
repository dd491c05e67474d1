import type { ToolCall } from '@countersign/contracts';
import { Go } from '../../../frame/go';
import { InertText } from '../../../kit/inert-text';
import { CallState } from '../../../kit/state';
import { duration } from '../../../kit/times';
import { ApprovalLines } from '../conversation/approval-lines';
import { CheckLine } from '../conversation/checks';
import { PayloadBody } from '../conversation/payload';
import { runPath } from '../data/run-path';
import { useListed } from '../data/use-listed';
import type { NameOf } from '../data/use-names';
import { argumentsOf } from '../story/arguments';
import type { CallStory } from '../story/call-draft';
import { stretchName } from '../timeline/timeline';
import { counted, ruleWords } from '../words';
import { DigestFact, Fact, Facts, IdFact, Section, WordFact } from './rows';

interface CallPanelProps {
  runId: string;
  call: CallStory;
  nameOf: NameOf;
  now: number;
}

/** A tool call: its arguments and result, what was checked, who was asked, and by what it can be found elsewhere. */
export function CallPanel({ runId, call, nameOf, now }: CallPanelProps) {
  const { row } = useListed<ToolCall>(`${runPath(runId)}/tool-calls`, call.id, call.movedAt);
  const { status, trouble, result, checks, policy, approvals, stretches, settled } = call;
  return (
    <>
      <div className="px-4 pb-3">
        <CallState status={status} />
        {trouble !== null && trouble.code !== 'approval_rejected' && (
          <p className={status === 'unknown' ? 'text-violet' : 'text-red'}>
            {trouble.message !== '' && <InertText text={trouble.message} lines />}{' '}
            <span className="font-mono text-11">{trouble.code}</span>
          </p>
        )}
        {status === 'unknown' && call.askUntil !== null && (
          <Go href={`/approvals?open=${call.id}`} className="text-violet underline underline-offset-4">
            Say whether it happened
          </Go>
        )}
      </div>
      <Section title="Arguments">
        <PayloadBody value={argumentsOf(call)} />
      </Section>
      {result !== null && (
        <Section title="Result" aside={result.replayOf === null ? undefined : 'from the record'}>
          <PayloadBody value={result.output} />
        </Section>
      )}
      <Section title="Checks">
        <CheckLine checks={checks} />
        {policy?.rule != null && (
          <p className="pt-1 text-12 text-muted">Judged by {ruleWords(policy.rule, policy.version)}.</p>
        )}
      </Section>
      {approvals.length > 0 && (
        <Section title={approvals.length === 1 ? 'Approval' : 'Approvals'}>
          {approvals.map((approval) => (
            <ApprovalLines key={approval.id} approval={approval} nameOf={nameOf} />
          ))}
        </Section>
      )}
      {settled !== null && (
        <Section title="Outcome">
          <p className="text-12 text-muted">
            <InertText text={settled.by.type === 'reconcile' ? 'The tool' : nameOf(settled.by)} /> said that
            it {settled.outcome === 'happened' ? 'happened' : 'did not happen'}.
          </p>
        </Section>
      )}
      {stretches.length > 0 && (
        <Section
          title="Time"
          aside={row === undefined || row.attempts === 0 ? undefined : counted(row.attempts, 'attempt')}
        >
          <Facts>
            {stretches.map(({ id, kind, from, to }) => (
              <Fact key={id} name={stretchName(kind)}>
                <span className="figures font-mono">{duration(Math.max(0, (to ?? now) - from))}</span>
              </Fact>
            ))}
          </Facts>
        </Section>
      )}
      <IdSection call={call} row={row} />
    </>
  );
}

function IdSection({ call, row }: { call: CallStory; row: ToolCall | undefined }) {
  return (
    <Section title="Ids">
      <Facts>
        <IdFact name="Tool call" value={call.id} />
        <WordFact name="Tool version" value={row?.toolVersion} />
        <WordFact name="Effect" value={row?.effect} />
        <IdFact name="Id in the reply" value={call.callId} />
        <IdFact name="Response" value={row?.ids.responseId} />
        <IdFact name="Operation" value={row?.ids.operationId} />
        <IdFact name="Idempotency key" value={row?.ids.idempotencyKey} />
        <IdFact name="Approval" value={row?.ids.approvalId} />
        <IdFact name="Replay of" value={call.result?.replayOf} />
        <DigestFact name="Arguments digest" value={call.bound?.argumentsDigest} />
        <DigestFact name="Request digest" value={row?.requestDigest} />
        <DigestFact name="Result digest" value={row?.resultDigest} />
        <DigestFact name="Binding digest" value={row?.bindingDigest} />
        <WordFact name="Adapter" value={row?.revisions.adapter} />
        <WordFact name="SDK" value={row?.revisions.sdk} />
        <WordFact name="Handler" value={row?.revisions.handler} />
        <WordFact name="Policy" value={row?.revisions.policy} />
      </Facts>
    </Section>
  );
}
