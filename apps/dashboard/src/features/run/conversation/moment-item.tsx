import { CircleAlert } from 'lucide-react';
import { memo } from 'react';
import { cn } from '../../../kit/cn';
import { hint } from '../../../kit/hint';
import { InertText } from '../../../kit/inert-text';
import { RunState } from '../../../kit/state';
import { duration, exactLocalTime } from '../../../kit/times';
import type { NameOf } from '../data/use-names';
import { endedBadly } from '../story/problems';
import type { ModelCallStory, Moment } from '../story/story';
import { counted, ENDING_WORDS, noteWords } from '../words';
import { Line } from './line';
import { ModelMeta } from './model-meta';

interface MomentItemProps {
  moment: Moment;
  nameOf: NameOf;
  /** The id of the span that is open. */
  open: string | null;
  onOpen: (id: string) => void;
}

/** What was said, what failed to be said, and what became of the run. */
export const MomentItem = memo(function MomentItem({ moment, nameOf, open, onOpen }: MomentItemProps) {
  switch (moment.kind) {
    case 'input':
      return (
        <Line
          who={
            <span className="font-medium text-ink">{moment.role === 'user' ? 'User' : 'Agent, before'}</span>
          }
        >
          <InertText text={moment.text} lines className="block max-w-[760px]" />
        </Line>
      );
    case 'reply':
      return <ReplyItem reply={moment} open={open} onOpen={onOpen} />;
    case 'attempt':
      return <AttemptItem model={moment.model} open={open} onOpen={onOpen} />;
    case 'note':
      return (
        <Line who={null}>
          <span className="text-12 text-faint" {...hint(exactLocalTime(moment.at))}>
            <InertText text={noteWords(moment, nameOf)} />.
          </span>
        </Line>
      );
    case 'ending':
      return (
        <Line who={null} className="mt-1 border-line border-t py-2.5">
          <RunState status={moment.status} />
          {moment.reason === null ? (
            <p className="text-muted">{ENDING_WORDS[moment.status]}</p>
          ) : (
            <p className="text-muted">
              <InertText text={moment.reason.message} />{' '}
              <span className="font-mono text-11 text-faint">{moment.reason.code}</span>
            </p>
          )}
        </Line>
      );
  }
});

type ReplyProps = Pick<MomentItemProps, 'open' | 'onOpen'> & { reply: Extract<Moment, { kind: 'reply' }> };

function ReplyItem({ reply, open, onOpen }: ReplyProps) {
  const { model, text, refusal, calls } = reply;
  return (
    <Line who="Agent" aside={<ModelMeta model={model} open={open === model.id} onOpen={onOpen} />}>
      {text !== '' && <InertText text={text} lines className="block max-w-[760px]" />}
      {refusal !== null && (
        <p className="text-red">
          Refused: <InertText text={refusal} lines />
        </p>
      )}
      {text === '' && refusal === null && (
        <p className="text-faint">
          {calls.length === 0 ? 'An empty reply' : `Asks for ${counted(calls.length, 'call')}`}
        </p>
      )}
      <FinishNote model={model} />
    </Line>
  );
}

/** Said where a reply did not end as replies do. */
function FinishNote({ model }: { model: ModelCallStory }) {
  return endedBadly(model) ? (
    <p className="mt-1 text-12 text-red">
      Ended by <span className="font-mono">{model.finish?.unified}</span>
    </p>
  ) : null;
}

function AttemptItem({
  model,
  open,
  onOpen,
}: Pick<MomentItemProps, 'open' | 'onOpen'> & { model: ModelCallStory }) {
  const { failure, attempt, choice, from, to } = model;
  return (
    <Line who="Agent" aside={<ModelMeta model={model} open={open === model.id} onOpen={onOpen} />}>
      <p className={cn('flex items-baseline gap-1.5 text-red')}>
        <CircleAlert aria-hidden className="size-3.5 shrink-0 translate-y-0.5" />
        <span>
          No reply from {model.model}
          {choice > 0 && ' (a fallback)'}, attempt {attempt}, after {duration(to - from)}:{' '}
          <InertText text={failure?.message ?? ''} />{' '}
          <span className="font-mono text-11">
            {failure?.code}
            {failure?.httpStatus != null && ` ${failure.httpStatus}`}
          </span>
        </span>
      </p>
    </Line>
  );
}
