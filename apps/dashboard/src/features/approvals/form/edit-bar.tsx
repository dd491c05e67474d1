'use client';

import { Check, CircleAlert, LoaderCircle, Users } from 'lucide-react';
import { Button } from '../../../kit/button';
import { InertText } from '../../../kit/inert-text';
import { HOLD_SECONDS } from '../wording/what-happens';
import type { Edit } from './use-edit';

interface EditBarProps {
  edit: Edit;
  busy: boolean;
  onSend: () => void;
  onBack: () => void;
}

/** What the edit would mean, in words, and the way to send it. */
export function EditBar({ edit, busy, onSend, onBack }: EditBarProps) {
  return (
    <div className="flex flex-col gap-2 px-5 py-3">
      <p
        role="status"
        className="flex min-h-5 items-start gap-1.5 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0"
      >
        <Verdict edit={edit} />
      </p>
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

function Verdict({ edit: { changed, edited, preview } }: { edit: Edit }) {
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
      return <Answer preview={preview.preview} />;
  }
}

type PreviewAnswer = Extract<Edit['preview'], { type: 'answer' }>['preview'];

function Answer({ preview: { verdict, message, errors } }: { preview: PreviewAnswer }) {
  switch (verdict) {
    case 'allowed':
      return (
        <>
          <Check aria-hidden className="text-green" />
          <span>
            Your signature is enough: it runs as edited, {HOLD_SECONDS} seconds after you approve. The agent
            is told what ran.
          </span>
        </>
      );
    case 'needs_approval':
      return (
        <>
          <Users aria-hidden className="text-amber" />
          <span>
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

/** What is wrong with the arguments as a whole; the rest stands at its field. */
function unplaced(errors: PreviewAnswer['errors']): string[] {
  return errors.filter(({ path }) => path === '/editedArguments').map(({ message }) => message);
}
