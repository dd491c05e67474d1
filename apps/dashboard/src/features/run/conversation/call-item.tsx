import { Wrench } from 'lucide-react';
import { memo } from 'react';
import { writeExactly } from '../../../api/exact-json';
import { Go } from '../../../frame/go';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import { CallState } from '../../../kit/state';
import { duration } from '../../../kit/times';
import type { NameOf } from '../data/use-names';
import { argumentsLine, argumentsOf } from '../story/arguments';
import type { CallStory } from '../story/call-draft';
import { ApprovalLines } from './approval-lines';
import { CheckLine, isStopped } from './checks';
import { Line } from './line';
import { Payload } from './payload';

interface CallItemProps {
  call: CallStory;
  nameOf: NameOf;
  open: boolean;
  onOpen: (id: string) => void;
}

/** A call within the conversation: what was asked for, who was asked, what stopped it, what came back. */
export const CallItem = memo(function CallItem({ call, nameOf, open, onOpen }: CallItemProps) {
  const { id, tool, status, checks, trouble, result, approvals } = call;
  const ran = ranFor(call);
  // Who rejected it said why already.
  const saidByPerson = trouble?.code === 'approval_rejected';
  return (
    <Line who={null} className="pt-0">
      <div className={cn('rounded-6 border border-line', open && 'border-ring')}>
        <button
          type="button"
          data-stop
          data-id={id}
          aria-pressed={open}
          onClick={() => onOpen(id)}
          className="ring-inside flex w-full min-w-0 items-center gap-2 rounded-6 px-2.5 py-1.5 text-left hover:bg-hover"
        >
          <Wrench aria-hidden className="size-3.5 shrink-0 text-faint" />
          <span className="shrink-0 font-medium font-mono text-12">{tool}</span>
          <InertText
            text={argumentsLine(argumentsOf(call), writeExactly)}
            className="min-w-0 flex-1 truncate font-mono text-12 text-muted"
          />
          {ran !== null && (
            <span className="figures shrink-0 font-mono text-12 text-faint max-md:hidden">
              {duration(ran)}
            </span>
          )}
          <CallState status={status} className="shrink-0 text-12" />
        </button>
        <div className="flex flex-col gap-1 px-2.5 pb-2 pl-8 empty:hidden">
          {isStopped(checks) && <CheckLine checks={checks} />}
          {approvals.map((approval) => (
            <ApprovalLines key={approval.id} approval={approval} nameOf={nameOf} />
          ))}
          {status === 'unknown' && call.askUntil !== null && (
            <p className="text-12 text-violet">
              Nobody knows whether it happened:{' '}
              <Go href={`/approvals?open=${id}`} className="font-medium underline underline-offset-4">
                say so
              </Go>
            </p>
          )}
          {trouble !== null && trouble.message !== '' && !saidByPerson && (
            <p
              className={cn(
                'text-12',
                status === 'unknown' ? 'text-violet' : status === 'cancelled' ? 'text-muted' : 'text-red',
              )}
            >
              <InertText text={trouble.message} lines />{' '}
              <span className="font-mono text-11">{trouble.code}</span>
            </p>
          )}
          {result !== null && (
            <Payload
              label={result.replayOf === null ? 'Result' : 'Result, from the record'}
              value={result.output}
            />
          )}
        </div>
      </div>
    </Line>
  );
});

/** How long it executed, all tries together, in milliseconds; null: it has not, or still does. */
function ranFor({ stretches }: CallStory): number | null {
  const tries = stretches.filter(({ kind, to }) => kind === 'tool_call' && to !== null);
  return tries.length === 0 ? null : tries.reduce((sum, { from, to }) => sum + (to ?? from) - from, 0);
}
