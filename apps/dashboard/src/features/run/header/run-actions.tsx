'use client';

import type { Run } from '@countersign/contracts';
import { Ban, Copy, Ellipsis, RotateCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useSend } from '../../../api/use-read';
import { type Action, useActions } from '../../../frame/actions';
import { useHref } from '../../../frame/go';
import { useSession } from '../../../frame/session';
import { Button, IconButton } from '../../../kit/button';
import { ConfirmDialog } from '../../../kit/dialog';
import { InertText } from '../../../kit/inert-text';
import { Menu, MenuItem } from '../../../kit/menu';
import { subjectId } from '../../../kit/subject-id';
import { toast } from '../../../kit/toast';
import { runPath } from '../data/run-path';
import { isAlive } from '../is-alive';
import type { Creation } from '../story/happening';
import { curlOf } from './start-again';
import { useStartAgain } from './use-start-again';

interface RunActionsProps {
  run: Run;
  creation: Creation | null;
}

/** What can be done with a run: end it, start it again, take it along as a command. */
export function RunActions({ run, creation }: RunActionsProps) {
  const { can } = useSession();
  const body = useStartAgain(run, creation);
  const [asking, setAsking] = useState<'cancel' | 'again' | null>(null);
  const mayCancel = can('runs:write') && isAlive(run);
  const mayRepeat = can('runs:write') && body !== null;
  const copyCurl = () => {
    if (body !== null) {
      navigator.clipboard.writeText(curlOf(window.location.origin, body)).then(
        () => toast('Copied as curl', { detail: 'Put a key into COUNTERSIGN_KEY and run it.' }),
        () => toast('The browser does not let this page copy', { tone: 'problem' }),
      );
    }
  };
  const actions: (Action & { readonly icon: typeof Copy })[] = [
    ...(body === null ? [] : [{ label: 'Copy as curl', icon: Copy, run: copyCurl }]),
    ...(mayRepeat ? [{ label: 'Run it again', icon: RotateCw, run: () => setAsking('again') }] : []),
    ...(mayCancel ? [{ label: 'Cancel the run', icon: Ban, run: () => setAsking('cancel') }] : []),
  ];
  useActions('Run', actions);
  return (
    <>
      <span className="flex items-center gap-2 max-md:hidden">
        {actions.map(({ label, icon: Icon, run: act }) => (
          <Button key={label} onClick={act}>
            <Icon aria-hidden />
            {label}
          </Button>
        ))}
      </span>
      {actions.length > 0 && (
        <span className="-mr-2 md:hidden">
          <Menu
            align="end"
            trigger={
              <IconButton label="What to do with the run" size="large">
                <Ellipsis aria-hidden />
              </IconButton>
            }
          >
            {actions.map(({ label, icon: Icon, run: act }) => (
              <MenuItem key={label} icon={<Icon aria-hidden />} onSelect={act}>
                {label}
              </MenuItem>
            ))}
          </Menu>
        </span>
      )}
      <CancelDialog run={run} open={asking === 'cancel'} onClose={() => setAsking(null)} />
      <AgainDialog run={run} body={body} open={asking === 'again'} onClose={() => setAsking(null)} />
    </>
  );
}

interface AskedProps {
  run: Run;
  open: boolean;
  onClose: () => void;
}

function CancelDialog({ run, open, onClose }: AskedProps) {
  const path = runPath(run.id);
  const send = useSend<Run>([path]);
  const cancel = () =>
    send.mutate(
      { method: 'POST', path: `${path}/cancel` },
      {
        onSuccess: onClose,
        onError: ({ detail }) => toast('The run was not cancelled', { detail, tone: 'problem' }),
      },
    );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title="Cancel this run?"
      description="Calls under way are settled first. Approvals that wait are withdrawn, and nothing further runs."
      confirm="Cancel the run"
      danger
      busy={send.isPending}
      onConfirm={cancel}
    />
  );
}

function AgainDialog({ run, body, open, onClose }: AskedProps & { body: object | null }) {
  const subject = subjectId(run.subject);
  const router = useRouter();
  const href = useHref();
  const send = useSend<Run>(['/v1/runs']);
  const start = () =>
    send.mutate(
      { method: 'POST', path: '/v1/runs', body },
      {
        onSuccess: ({ id }) => {
          onClose();
          router.push(href(`/runs/${id}`));
        },
        onError: ({ detail, errors }) =>
          toast('The run was not started', { detail: errors[0]?.message ?? detail, tone: 'problem' }),
      },
    );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title="Run it again?"
      description={
        <>
          {run.agent.name} v{run.agent.version} gets the same input
          {subject !== null && (
            <>
              {' '}
              for <InertText text={subject} />
            </>
          )}{' '}
          in a new run. Its tools act for real, so what this run did may be done a second time.
        </>
      }
      confirm="Run it again"
      busy={send.isPending}
      onConfirm={start}
    />
  );
}
