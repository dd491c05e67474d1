import type { Approval, RunStatus, ToolCall } from '@countersign/contracts';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { hint } from './hint';
import { TONE_TEXT, type Tone } from './tone';

type Shape = 'ring' | 'dot' | 'clock' | 'check' | 'cross' | 'half' | 'bar' | 'hourglass' | 'question';

interface Look {
  readonly word: string;
  readonly shape: Shape;
  readonly tone: Tone;
}

const look = (word: string, shape: Shape, tone: Tone): Look => ({ word, shape, tone });

/** How each status of a run is said, drawn and coloured. */
export const RUN_LOOKS: Readonly<Record<RunStatus, Look>> = {
  queued: look('Queued', 'ring', 'neutral'),
  running: look('Running', 'dot', 'blue'),
  waiting: look('Waiting', 'clock', 'amber'),
  completed: look('Completed', 'check', 'green'),
  refused: look('Refused', 'cross', 'red'),
  incomplete: look('Incomplete', 'half', 'neutral'),
  failed: look('Failed', 'cross', 'red'),
  cancelled: look('Cancelled', 'bar', 'neutral'),
};

const CALL_LOOKS: Readonly<Record<ToolCall['status'], Look>> = {
  requested: look('Requested', 'ring', 'neutral'),
  permitted: look('Permitted', 'ring', 'blue'),
  denied: look('Denied', 'cross', 'red'),
  awaiting_approval: look('Waits for approval', 'clock', 'amber'),
  approved: look('Approved', 'ring', 'blue'),
  executing: look('Executing', 'dot', 'blue'),
  awaiting_client: look('Waits for the app', 'clock', 'amber'),
  succeeded: look('Succeeded', 'check', 'green'),
  failed: look('Failed', 'cross', 'red'),
  unknown: look('Unknown', 'question', 'violet'),
  cancelled: look('Cancelled', 'bar', 'neutral'),
};

const APPROVAL_LOOKS: Readonly<Record<Approval['status'], Look>> = {
  pending: look('Pending', 'clock', 'amber'),
  approved: look('Approved', 'check', 'green'),
  rejected: look('Rejected', 'cross', 'red'),
  expired: look('Expired', 'hourglass', 'neutral'),
  cancelled: look('Cancelled', 'bar', 'neutral'),
};

interface StateProps<Status> {
  status: Status;
  /** Why, on hover. */
  reason?: string | null | undefined;
  className?: string;
}

/** Where a run stands: word, shape and colour. */
export function RunState({ status, ...rest }: StateProps<RunStatus>) {
  return <State look={RUN_LOOKS[status]} live={status === 'running'} {...rest} />;
}

/** Where a tool call stands. */
export function CallState({ status, ...rest }: StateProps<ToolCall['status']>) {
  return <State look={CALL_LOOKS[status]} live={status === 'executing'} {...rest} />;
}

/** Where an approval stands. */
export function ApprovalState({ status, ...rest }: StateProps<Approval['status']>) {
  return <State look={APPROVAL_LOOKS[status]} live={false} {...rest} />;
}

/** What goes well does not ask to be looked at: there the shape alone has the colour. */
const CALM: ReadonlySet<Tone> = new Set(['neutral', 'green']);

interface StateLookProps {
  look: Look;
  live: boolean;
  reason?: string | null | undefined;
  className?: string | undefined;
}

function State({ look: { word, shape, tone }, live, reason, className }: StateLookProps) {
  return (
    <span
      className={cn('inline-flex items-center gap-1.5 whitespace-nowrap align-top', className)}
      {...(reason == null ? {} : hint(reason))}
    >
      <StateShape shape={shape} live={live} className={TONE_TEXT[tone]} />
      <span className={CALM.has(tone) ? 'text-muted' : TONE_TEXT[tone]}>{word}</span>
    </span>
  );
}

interface StateShapeProps {
  shape: Shape;
  live: boolean;
  className: string;
}

function StateShape({ shape, live, className }: StateShapeProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 14 14"
      className={cn('size-3.5 shrink-0', live && 'animate-breathe', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {SHAPES[shape]}
    </svg>
  );
}

const circle = <circle cx="7" cy="7" r="5.25" />;

const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  ring: <circle cx="7" cy="7" r="5.25" strokeDasharray="2.2 2.2" />,
  dot: <circle cx="7" cy="7" r="3.75" fill="currentColor" stroke="none" />,
  clock: (
    <>
      {circle}
      <path d="M7 4.25V7l1.75 1.25" />
    </>
  ),
  check: (
    <>
      {circle}
      <path d="m4.75 7.15 1.6 1.6 2.9-3.4" />
    </>
  ),
  cross: (
    <>
      {circle}
      <path d="m5.15 5.15 3.7 3.7m0-3.7-3.7 3.7" />
    </>
  ),
  half: (
    <>
      {circle}
      <path d="M7 1.75a5.25 5.25 0 0 0 0 10.5Z" fill="currentColor" stroke="none" />
    </>
  ),
  bar: (
    <>
      {circle}
      <path d="M4.75 7h4.5" />
    </>
  ),
  hourglass: (
    <path d="M3.75 1.75h6.5m-6.5 10.5h6.5m-5.75-10.5v1.5c0 2 2.5 2.5 2.5 3.75s-2.5 1.75-2.5 3.75v1.5m5-10.5v1.5c0 2-2.5 2.5-2.5 3.75s2.5 1.75 2.5 3.75v1.5" />
  ),
  question: (
    <>
      {circle}
      <path d="M5.6 5.6a1.45 1.45 0 1 1 2.15 1.3c-.5.28-.75.5-.75 1.1M7 9.75h.01" />
    </>
  ),
};
