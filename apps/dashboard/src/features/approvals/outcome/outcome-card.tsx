'use client';

import type { Outcome } from '@countersign/contracts';
import { Check, CircleHelp, X } from 'lucide-react';
import { useState } from 'react';
import { useActions } from '../../../frame/actions';
import { Go } from '../../../frame/go';
import { useSession } from '../../../frame/session';
import { CopyButton } from '../../../kit/copy';
import { Digest, shortId } from '../../../kit/id';
import { InertText } from '../../../kit/inert-text';
import { Time } from '../../../kit/time';
import { exactLocalTime } from '../../../kit/times';
import { toast } from '../../../kit/toast';
import { Desk } from '../card/desk';
import { Row } from '../card/row';
import { ValueRows } from '../card/value-rows';
import { Conversation } from '../context/conversation';
import { useCurrentTool, useRun } from '../data/use-approval';
import { moneyIn } from '../wording/money-in';
import { summarize } from '../wording/summary';
import { OutcomeBar } from './outcome-bar';
import { type AfterNo, afterNo, whatNoMeans } from './what-answers-mean';

/** The keys of a request for a signature: here they say which there are. */
const OTHER_CARDS = ['a', 'e', 'r'].map((keys) => ({
  label: `Not on this card: ${keys}`,
  keys,
  palette: false,
  listed: false,
  run: () =>
    toast('This card takes Y or N', {
      tone: 'note',
      detail: 'It has been sent: Y, it happened, or N, it did not.',
    }),
}));

interface OutcomeCardProps {
  outcome: Outcome;
  onSettled: (happened: boolean, summary: string) => void;
}

/** A call of which nobody knows whether it had its effect: what was sent, what came back, what to look for. */
export function OutcomeCard({ outcome, onSettled }: OutcomeCardProps) {
  const { can } = useSession();
  const mayDecide = can('approvals:decide');
  const [answer, setAnswer] = useState<boolean | null>(null);
  const tool = useCurrentTool(outcome.tool).data;
  const runEnded = useRun(outcome.runId).data?.finishedAt != null;
  const no = afterNo(outcome, runEnded);
  const summary = summarize({ ...outcome, money: moneyIn(outcome.arguments, tool?.money ?? null) });
  useActions(
    'Decide',
    mayDecide && answer === null
      ? [
          { label: 'It happened', keys: 'y', icon: Check, run: () => setAnswer(true) },
          { label: 'It did not happen', keys: 'n', icon: X, run: () => setAnswer(false) },
          ...OTHER_CARDS,
        ]
      : [],
  );
  return (
    <Desk
      card={<OutcomeBody outcome={outcome} summary={summary} no={no} />}
      context={<Conversation runId={outcome.runId} className="xl:flex-1" />}
      bar={
        mayDecide ? (
          <OutcomeBar
            outcome={outcome}
            answer={answer}
            no={no}
            onAnswer={setAnswer}
            onSettled={(happened) => onSettled(happened, summary)}
          />
        ) : (
          <p className="px-5 py-3 text-muted">
            Your role lets you look, not answer. Reviewers, operators and admins of this tenant answer.
          </p>
        )
      }
    />
  );
}

interface OutcomeBodyProps {
  outcome: Outcome;
  summary: string;
  no: AfterNo;
}

function OutcomeBody({ outcome, summary, no }: OutcomeBodyProps) {
  const { runId, tool, startedAt, detail, idempotencyKey, argumentsDigest, tries } = outcome;
  return (
    <article>
      <header className="px-5 pt-4 pb-4">
        <p className="mb-1.5 flex items-center gap-1.5 text-12 text-violet">
          <CircleHelp aria-hidden className="size-3.5" />
          Outcome unknown
        </p>
        <h2 tabIndex={-1} data-headline className="text-balance font-semibold text-20 outline-none!">
          Did it happen? <InertText text={summary} />
        </h2>
        <p className="mt-1 flex flex-wrap gap-x-1.5 text-12 text-muted">
          <span>{tool}</span>
          <span aria-hidden>·</span>
          <Go
            href={`/runs/${runId}`}
            className="rounded-4 font-mono underline decoration-line-strong underline-offset-4 hover:text-ink"
          >
            {shortId(runId)}
          </Go>
          {startedAt !== null && <span aria-hidden>·</span>}
          {startedAt !== null && <Time at={startedAt} />}
        </p>
      </header>
      <Row label="Answer">
        {detail === null ? (
          <span className="text-muted">
            The other side did not answer in a way that says whether it happened.
          </span>
        ) : (
          <InertText text={detail} lines />
        )}
      </Row>
      <Row label="Sent">
        {tries > 1 && (
          <p className="mb-2">
            Twice, with the same key. It was found that the first had not happened; of the second nobody
            knows.
          </p>
        )}
        <ValueRows value={outcome.arguments} />
        {argumentsDigest !== null && (
          <p className="mt-2 flex items-center gap-1.5 text-12 text-faint">
            digest <Digest value={argumentsDigest} />
          </p>
        )}
      </Row>
      <Row label="Check">
        <p>Look in the system behind {tool}, not in this one:</p>
        <ol className="mt-1 flex list-decimal flex-col gap-1 pl-5">
          <li>
            Search it for the key of this call:
            <span className="ml-1 inline-flex items-center gap-1">
              <code className="font-mono text-12">{idempotencyKey}</code>
              <CopyButton text={idempotencyKey} label="Copy the key" />
            </span>
          </li>
          <li>
            Where it does not keep keys, search for the values above
            {startedAt !== null && `, from ${exactLocalTime(Date.parse(startedAt)).slice(0, 19)} on`}.
          </li>
          <li>Be certain before you say that it did not happen: {whatNoMeans(no)}</li>
        </ol>
      </Row>
    </article>
  );
}
