'use client';

import type { Approval, Tool } from '@countersign/contracts';
import type { ComponentProps, ReactNode } from 'react';
import { EditBar } from '../form/edit-bar';
import { EditForm } from '../form/edit-form';
import { type Edit, useEdit } from '../form/use-edit';
import { moneyIn } from '../wording/money-in';
import { Desk } from './desk';
import { RequestBody } from './request-body';
import type { useDecision } from './use-decision';

interface EditDeskProps {
  approval: Approval;
  tool: Tool;
  decision: ReturnType<typeof useDecision>;
  /** What the card shows of the request. */
  body: ComponentProps<typeof RequestBody>;
  notice: ReactNode;
  context: ReactNode;
}

/** The same desk while the arguments are edited: the card says what the edit would do. */
export function EditDesk({ approval, tool, decision, body, notice, context }: EditDeskProps) {
  const edit: Edit = useEdit(approval, tool);
  const edited = withEdit(approval, tool, edit);
  const send = () => {
    if (edit.sendable && edit.edited !== null) {
      decision.approve({ value: edit.edited.value, suffices: edit.suffices });
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the fields in it
    <div
      className="contents"
      onKeyDown={({ key, metaKey, ctrlKey }) => {
        if (key === 'Escape') decision.setMode('look');
        if (key === 'Enter' && (metaKey || ctrlKey)) send();
      }}
    >
      <Desk
        card={
          <RequestBody {...body} approval={edited} asked={approval.money} edit={<EditForm edit={edit} />} />
        }
        context={context}
        bar={
          <>
            {notice}
            <EditBar
              edit={edit}
              edited={edited}
              asked={approval.money}
              message={decision.message}
              onMessage={decision.setMessage}
              busy={decision.busy}
              onSend={send}
              onBack={() => decision.setMode('look')}
            />
          </>
        }
      />
    </div>
  );
}

/** The approval as it would be with the edit; as it was while the edit cannot be read. */
function withEdit(approval: Approval, { money }: Tool, { edited }: Edit): Approval {
  return edited === null
    ? approval
    : { ...approval, arguments: edited.value as Approval['arguments'], money: moneyIn(edited.value, money) };
}
