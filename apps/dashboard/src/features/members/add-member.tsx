'use client';

import type { MemberCreated, Role } from '@countersign/contracts';
import { useState } from 'react';
import { useSend } from '../../api/use-read';
import { useSession } from '../../frame/session';
import { Button } from '../../kit/button';
import { CopyButton } from '../../kit/copy';
import { Dialog } from '../../kit/dialog';
import { Field, Input, Select } from '../../kit/field';
import { MEMBERS } from './members-path';
import { ROLES } from './roles';

interface AddMemberProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks who is to be added, then shows how they sign in. */
export function AddMember({ open, onOpenChange }: AddMemberProps) {
  const { tenant } = useSession();
  const [added, setAdded] = useState<MemberCreated | null>(null);
  const close = (next: boolean) => {
    onOpenChange(next);
    if (!next) {
      setAdded(null);
    }
  };
  return added === null ? (
    <Dialog open={open} onOpenChange={close} title="Add a member" description={`To ${tenant.name}.`}>
      <AddMemberForm onAdded={setAdded} />
    </Dialog>
  ) : (
    <Dialog
      open={open}
      onOpenChange={close}
      title={`${added.member.name} was added`}
      description={
        added.password === null
          ? `They sign in as they do already, with ${added.member.email}.`
          : 'Give them this password. It is shown once, and kept nowhere that it could be read again.'
      }
      actions={
        <Button variant="primary" onClick={() => close(false)}>
          Done
        </Button>
      }
    >
      {added.password !== null && <MadePassword email={added.member.email} password={added.password} />}
    </Dialog>
  );
}

function AddMemberForm({ onAdded }: { onAdded: (added: MemberCreated) => void }) {
  const add = useSend<MemberCreated>([MEMBERS]);
  const [role, setRole] = useState<Role>('reviewer');
  const problem = add.error;
  const fieldProblem = problem !== null && problem.errors.length > 0;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const body = { email: text(form, 'email'), name: text(form, 'name'), role };
        add.mutate({ method: 'POST', path: MEMBERS, body }, { onSuccess: onAdded });
      }}
    >
      <Field label="Name" error={problem?.about('/name')}>
        <Input name="name" required autoFocus autoComplete="off" />
      </Field>
      <Field label="E-mail" error={problem?.about('/email')}>
        <Input name="email" type="email" required autoComplete="off" />
      </Field>
      <Field label="Role" note={ROLES.find((one) => one.role === role)?.may}>
        <Select value={role} onChange={(event) => setRole(event.target.value as Role)}>
          {ROLES.map(({ role: value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {problem !== null && !fieldProblem && (
        <p role="alert" className="text-red">
          {problem.detail}
        </p>
      )}
      <Button type="submit" variant="primary" busy={add.isPending} className="self-end">
        Add
      </Button>
    </form>
  );
}

function text(form: FormData, name: string): string {
  return String(form.get(name) ?? '').trim();
}

function MadePassword({ email, password }: { email: string; password: string }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-6 bg-sunken px-3 py-2">
      <dt className="text-muted">E-mail</dt>
      <dd className="truncate font-mono text-12">{email}</dd>
      <dd>
        <CopyButton text={email} label="Copy the e-mail" />
      </dd>
      <dt className="text-muted">Password</dt>
      <dd className="font-mono text-12" data-testid="made-password">
        {password}
      </dd>
      <dd>
        <CopyButton text={password} label="Copy the password" />
      </dd>
    </dl>
  );
}
