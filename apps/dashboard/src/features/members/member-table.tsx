'use client';

import type { Member, Role } from '@countersign/contracts';
import { useState } from 'react';
import { useSend } from '../../api/use-read';
import { useSession } from '../../frame/session';
import { Badge } from '../../kit/badge';
import { Button } from '../../kit/button';
import { ConfirmDialog } from '../../kit/dialog';
import { Select } from '../../kit/field';
import { InertText } from '../../kit/inert-text';
import { Time } from '../../kit/time';
import { toast } from '../../kit/toast';
import { MEMBERS } from './members-path';
import { ROLES, roleLabel } from './roles';

const head = 'h-8 font-normal text-12 text-faint';

/** The members, each with a role that can be changed at once. */
export function MemberTable({ members }: { members: readonly Member[] }) {
  const [leaving, setLeaving] = useState<Member | null>(null);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <table className="w-full table-fixed text-left max-md:block">
        <thead className="sticky top-0 z-10 bg-surface max-md:sr-only">
          <tr className="border-line border-b">
            <th scope="col" className={`${head} pl-4`}>
              Name
            </th>
            <th scope="col" className={head}>
              E-mail
            </th>
            <th scope="col" className={`${head} w-40 pl-2`}>
              Role
            </th>
            <th scope="col" className={`${head} w-32`}>
              Added
            </th>
            <th scope="col" className={`${head} w-24 pr-4`}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {members.map((member) => (
            <MemberRow key={member.id} member={member} onRemove={() => setLeaving(member)} />
          ))}
        </tbody>
      </table>
      <RemoveMember member={leaving} onClose={() => setLeaving(null)} />
    </div>
  );
}

/** A line where there is room; on a phone the name and e-mail at the left, the role and the way out at the right. */
function MemberRow({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const { actor } = useSession();
  return (
    <tr className="h-11 border-line-soft border-b hover:bg-hover max-md:grid max-md:h-auto max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:px-4 max-md:py-2">
      <td className="truncate md:pl-4">
        <InertText text={member.name} className="font-medium" />
        {member.id === actor.id && <Badge className="ml-2">You</Badge>}
      </td>
      <td className="truncate pr-4 text-muted max-md:row-start-2 max-md:pr-0 max-md:text-12">
        <InertText text={member.email} />
      </td>
      <td>
        <RoleSelect member={member} />
      </td>
      <td className="text-12 text-muted max-md:hidden">
        <Time at={member.createdAt} />
      </td>
      <td className="text-right md:pr-4">
        <Button variant="ghost" size="small" onClick={onRemove} className="text-muted">
          Remove
          <span className="sr-only">
            {' '}
            <InertText text={member.name} />
          </span>
        </Button>
      </td>
    </tr>
  );
}

function RoleSelect({ member }: { member: Member }) {
  const change = useSend<Member>([MEMBERS]);
  const role = change.isPending ? (change.variables.body as { role: Role }).role : member.role;
  return (
    <Select
      aria-label={`Role of ${member.name}`}
      value={role}
      disabled={change.isPending}
      quiet
      className="w-32"
      onChange={(event) => {
        const chosen = event.target.value as Role;
        change.mutate(
          { method: 'PATCH', path: `${MEMBERS}/${member.id}`, body: { role: chosen } },
          {
            onSuccess: () => toast(`${member.name} is ${roleLabel(chosen).toLowerCase()} now`),
            onError: (problem) =>
              toast('The role stays as it was', { tone: 'problem', detail: problem.detail }),
          },
        );
      }}
    >
      {ROLES.map(({ role: value, label, may }) => (
        <option key={value} value={value} title={may}>
          {label}
        </option>
      ))}
    </Select>
  );
}

function RemoveMember({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const { tenant } = useSession();
  const remove = useSend<undefined>([MEMBERS]);
  return (
    <ConfirmDialog
      open={member !== null}
      onOpenChange={(open) => !open && onClose()}
      title={member === null ? 'Remove' : `Remove ${member.name}?`}
      description={`They cannot see or decide anything of ${tenant.name} any more, from this moment on. What they decided stays on record.`}
      confirm="Remove"
      danger
      busy={remove.isPending}
      onConfirm={() => {
        if (member !== null) {
          remove.mutate(
            { method: 'DELETE', path: `${MEMBERS}/${member.id}` },
            {
              onSuccess: () => toast(`${member.name} was removed`),
              onError: (problem) =>
                toast(`${member.name} was not removed`, { tone: 'problem', detail: problem.detail }),
              onSettled: onClose,
            },
          );
        }
      }}
    />
  );
}
