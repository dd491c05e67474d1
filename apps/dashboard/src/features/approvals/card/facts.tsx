'use client';

import type { Approval, Tool } from '@countersign/contracts';
import { Check, RotateCw, X } from 'lucide-react';
import { IconButton } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import { Skeleton } from '../../../kit/skeleton';
import { exactLocalTime } from '../../../kit/times';
import { changesBetween } from '../changes';
import type { FirstSeen } from '../data/use-first-seen';
import { counted } from '../wording/words';
import { Row } from './row';
import { ValueRows } from './value-rows';

interface FactsProps {
  approval: Approval;
  tool: Tool | undefined;
  first: FirstSeen | null;
  /** The answer that has the facts is under way. */
  asking: boolean;
  onRefresh: () => void;
  /** Other arguments are being written than those that the tool was asked about. */
  edits: boolean;
}

/** What the tool says of the matter as of now, and what has changed since the card was first looked at. */
export function Facts({ approval, tool, first, asking, onRefresh, edits }: FactsProps) {
  const { facts, status } = approval;
  if (status !== 'pending' || (facts === null && !asking && tool !== undefined && tool.check === null)) {
    return null;
  }
  return (
    <Row
      label={
        <span className="flex items-center gap-1">
          Now
          <IconButton
            label="Ask again"
            size="small"
            className="-my-0.5"
            disabled={asking}
            onClick={onRefresh}
          >
            <RotateCw aria-hidden className={cn('size-3!', asking && 'animate-spin')} />
          </IconButton>
        </span>
      }
    >
      {edits && facts !== null && (
        <p className="mb-1.5 text-amber">
          Said of the call as it was asked. The edit is checked before it runs, and denied if this speaks
          against it.
        </p>
      )}
      {facts === null ? <NoFacts asking={asking} /> : <KnownFacts facts={facts} first={first} />}
    </Row>
  );
}

function NoFacts({ asking }: { asking: boolean }) {
  return asking ? (
    <div role="status" aria-label="Asking for the facts" className="flex flex-col gap-3 py-1">
      <Skeleton className="w-3/5" />
      <Skeleton className="w-2/5" />
    </div>
  ) : (
    <p className="text-muted">
      The tool does not say how things stand. It is asked once more before anything runs: without its word
      nothing does.
    </p>
  );
}

function KnownFacts({ facts, first }: { facts: NonNullable<Approval['facts']>; first: FirstSeen | null }) {
  const changed = first?.facts == null ? 0 : changesBetween(first.facts.facts, facts.facts).length;
  return (
    <>
      <p className={cn('mb-1.5 flex items-start gap-1.5', facts.ok ? 'text-ink' : 'text-red')}>
        {facts.ok ? (
          <Check aria-label="Fine" className="mt-0.5 size-4 shrink-0 text-green" />
        ) : (
          <X aria-label="Not fine" className="mt-0.5 size-4 shrink-0" />
        )}
        <span>
          <InertText
            text={facts.message ?? (facts.ok ? 'Nothing speaks against it.' : 'This speaks against it.')}
          />
          {!facts.ok && ' If it stays so, the call is denied even when you approve it.'}
        </span>
      </p>
      {changed > 0 && first !== null && (
        <p className="mb-1.5 text-amber">
          {counted(changed, 'fact')} changed since you first looked, at{' '}
          {exactLocalTime(first.at).slice(11, 19)}.
        </p>
      )}
      <ValueRows value={facts.facts} first={first?.facts?.facts} />
    </>
  );
}
