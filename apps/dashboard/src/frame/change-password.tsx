'use client';

import { useMutation } from '@tanstack/react-query';
import type { ApiProblem } from '../api/problem';
import { request } from '../api/request';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Field, Input } from '../kit/field';
import { toast } from '../kit/toast';

const LEAST_LENGTH = 12;

interface Passwords {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Another password for who is signed in. */
export function ChangePassword({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Change your password"
      description="You stay signed in here; every other session of yours ends."
    >
      <PasswordForm onDone={onClose} />
    </Dialog>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const change = useMutation<unknown, ApiProblem, Passwords>({
    mutationFn: (body) => request('/api/auth/change-password', { method: 'POST', tenant: null, body }),
    onSuccess: () => {
      toast('Your password was changed');
      onDone();
    },
  });
  const problem = change.error;
  const ofField = problem?.about('/newPassword') ?? problem?.about('/currentPassword');
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        change.mutate({ currentPassword: String(form.get('current')), newPassword: String(form.get('new')) });
      }}
    >
      <Field label="Current password" error={problem?.about('/currentPassword')}>
        <Input name="current" type="password" autoComplete="current-password" required autoFocus />
      </Field>
      <Field
        label="New password"
        note={`${LEAST_LENGTH} characters at least.`}
        error={problem?.about('/newPassword')}
      >
        <Input name="new" type="password" autoComplete="new-password" required minLength={LEAST_LENGTH} />
      </Field>
      {problem !== null && ofField === undefined && (
        <p role="alert" className="text-red">
          {problem.detail}
        </p>
      )}
      <Button type="submit" variant="primary" busy={change.isPending} className="self-end">
        Change it
      </Button>
    </form>
  );
}
