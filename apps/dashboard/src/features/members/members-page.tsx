'use client';

import type { Member } from '@countersign/contracts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Outcome } from '../../api/outcome';
import { type Page as Answer, useRead } from '../../api/use-read';
import { useActions } from '../../frame/actions';
import { Page } from '../../frame/page';
import { useSession } from '../../frame/session';
import { Button } from '../../kit/button';
import { NoPermission } from '../../kit/notice';
import { SkeletonRows } from '../../kit/skeleton';
import { AddMember } from './add-member';
import { MemberTable } from './member-table';
import { MEMBERS } from './members-path';

/** Who belongs to the tenant, and what they may do. Admins change it. */
export function MembersPage() {
  const { can } = useSession();
  return can('admin') ? (
    <Members />
  ) : (
    <Page title="Members">
      <NoPermission what="see the members" />
    </Page>
  );
}

function Members() {
  const [adding, setAdding] = useState(false);
  const members = useRead<Answer<Member>>(MEMBERS, { limit: 100 });
  useActions('Members', [{ label: 'Add a member', keys: 'c', icon: Plus, run: () => setAdding(true) }]);
  return (
    <Page
      title="Members"
      actions={
        <Button variant="primary" onClick={() => setAdding(true)}>
          <Plus aria-hidden />
          Add a member
        </Button>
      }
    >
      <Outcome
        of={members}
        what="see the members"
        skeleton={<SkeletonRows label="Loading members" rows={6} />}
      >
        {({ data }) => <MemberTable members={data} />}
      </Outcome>
      <AddMember open={adding} onOpenChange={setAdding} />
    </Page>
  );
}
