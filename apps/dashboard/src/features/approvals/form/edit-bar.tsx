'use client';

import type { Approval } from '@countersign/contracts';
import { Check, CircleAlert, LoaderCircle, TriangleAlert, Users } from 'lucide-react';
import { Button } from '../../../kit/button';
import { Input } from '../../../kit/field';
import { InertText } from '../../../kit/inert-text';
import { beyondAsked } from '../wording/money-change';
import { summarize } from '../wording/summary';
import { HOLD_SECONDS } from '../wording/what-happens';
import type { Edit } from './use-edit';

interface EditBarProps {
  edit: Edit;
  /** The approval as it would be with the edit. */
  edited: Approval;
  /** The money as it was asked for. */
  asked: Approval['money'];
  message: string;
  onMessage: (message: string) => void;
  busy: boolean;
  onSend: () => void;
  onBack: () => void;
}

/** What the edit would mean, in words, and the way to send it. */
export function EditBar(props: EditBarProps) {
  const { edit, edited, asked, message, onMessage, busy, onSend, onBack } = props;
  const beyond = beyondAsked(asked, edited.money);
  return (
    <div className="flex flex-col gap-2 px-5 py-3">
      <p
        role="status"
        className="flex min-h-5 items-start gap-1.5 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0"
      >
        <Verdict edit={edit} summary={summarize(edited)} beyond={beyond} />
      </p>
      <Input
        value={message}
        onChange={({ target }) => onMessage(target.value)}
        maxLength={2_000}
        placeholder="Message (optional)"
        aria-label="Message with your edit"
      />
      <div className="flex gap-2">
        <Button
          variant="primary"
          size="large"
          keyHint="mod+enter"
          className="flex-1"
          busy={busy}
          disabled={!edit.sendable}
          onClick={onSend}
        >
          Approve as edited
        </Button>
        <Button size="large" keyHint="escape" disabled={busy} onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}

interface VerdictProps {
  edit: Edit;
  /** What would be done, in a sentence. */
  summary: string;
  /** How far it goes beyond the money that was asked for; null where it does not. */
  beyond: string | null;
}

function Verdict({ edit: { changed, edited, preview }, summary, beyond }: VerdictProps) {
  if (!changed) return <span className="text-muted">Nothing is changed yet.</span>;
  if (edited === null) {
    return (
      <>
        <CircleAlert aria-hidden className="text-red" />
        <span>A value above cannot be sent as it is.</span>
      </>
    );
  }
  switch (preview.type) {
    case 'none':
    case 'asking':
      return (
        <>
          <LoaderCircle aria-hidden className="animate-spin text-faint" />
          <span className="text-muted">Asking the policy about this edit</span>
        </>
      );
    case 'failed':
      return (
        <>
          <CircleAlert aria-hidden className="text-red" />
          <InertText text={preview.detail} />
        </>
      );
    case 'answer':
      return <Answer preview={preview.preview} summary={summary} beyond={beyond} />;
  }
}

type PreviewAnswer = Extract<Edit['preview'], { type: 'answer' }>['preview'];

interface AnswerProps extends Omit<VerdictProps, 'edit'> {
  preview: PreviewAnswer;
}

function Answer({ preview: { verdict, message, errors }, summary, beyond }: AnswerProps) {
  switch (verdict) {
    case 'allowed':
      return (
        <>
          {beyond === null ? (
            <Check aria-hidden className="text-green" />
          ) : (
            <TriangleAlert aria-hidden className="text-amber" />
          )}
          <span>
            <Beyond words={beyond} />
            Your signature is enough: <InertText text={summary} />, {HOLD_SECONDS} seconds after you approve.
            The agent is told what ran.
          </span>
        </>
      );
    case 'needs_approval':
      return (
        <>
          <Users aria-hidden className="text-amber" />
          <span>
            <Beyond words={beyond} />
            With this edit your signature is not enough. It counts as yours, and another approval is asked for
            before anything runs.
          </span>
        </>
      );
    case 'refused':
      return (
        <>
          <CircleAlert aria-hidden className="text-red" />
          <InertText text={[message, ...unplaced(errors)].filter((part) => part !== null).join(' ')} />
        </>
      );
  }
}

function Beyond({ words }: { words: string | null }) {
  return words === null ? null : <span className="font-medium text-amber">{words}. </span>;
}

/** What is wrong with the arguments as a whole; the rest stands at its field. */
function unplaced(errors: PreviewAnswer['errors']): string[] {
  return errors.filter(({ path }) => path === '/editedArguments').map(({ message }) => message);
}
