import type { Run } from '@countersign/contracts';
import type { ReactNode } from 'react';
import { cn } from '../../../kit/cn';
import { Count } from '../../../kit/count';
import { hint } from '../../../kit/hint';
import { Id } from '../../../kit/id';
import { InertText } from '../../../kit/inert-text';
import { Money } from '../../../kit/money';
import { RunState } from '../../../kit/state';
import { subjectId } from '../../../kit/subject-id';
import { Duration, Time } from '../../../kit/time';

/** The figures of a run on one line; on a phone in three columns. */
export function RunFacts({ run }: { run: Run }) {
  const subject = subjectId(run.subject);
  const { agent, usage, costUsd, wasteUsd, budget } = run;
  const wasted = /[1-9]/.test(wasteUsd);
  return (
    <dl className="flex shrink-0 flex-wrap gap-x-8 gap-y-2 border-line border-b px-4 py-2.5 max-md:grid max-md:grid-cols-3 max-md:gap-x-4">
      <Fact label="State">
        <RunState status={run.status} />
      </Fact>
      <Fact label="Agent">
        {agent.name} <span className="text-faint">v{agent.version}</span>
      </Fact>
      <Fact label="Subject">
        {subject === null ? <Nothing /> : <InertText text={subject} className="truncate" />}
      </Fact>
      <Fact label="Cost" wraps>
        <Money amount={costUsd} />
        {budget.limitUsd !== null && (
          <span className="text-faint">
            {' '}
            of <Money amount={budget.limitUsd} />
          </span>
        )}
      </Fact>
      {wasted && (
        <Fact label="Waste">
          <Money amount={wasteUsd} className="text-red" />
        </Fact>
      )}
      <Fact label="Tokens" wraps>
        <span {...hint(tokenWords(usage))}>
          <Count value={usage.inputTokens} bare /> <span className="text-faint">in</span>{' '}
          <Count value={usage.outputTokens} bare />{' '}
          <span className="text-faint">out{usage.estimated && ', estimated'}</span>
        </span>
      </Fact>
      <Fact label="Duration">
        <Duration from={run.startedAt} to={run.finishedAt} />
      </Fact>
      <Fact label="Steps" wraps>
        <Steps count={usage.turns} one="turn" />
        <span className="text-faint">,</span> <Steps count={usage.toolCalls} one="call" />
      </Fact>
      <Fact label="Created">
        <Time at={run.createdAt} />
      </Fact>
      <Fact label="Run" className="max-md:hidden">
        <Id value={run.id} className="text-13" />
      </Fact>
    </dl>
  );
}

interface FactProps {
  label: string;
  children: ReactNode;
  /** On a phone it goes on below rather than being cut. */
  wraps?: boolean;
  className?: string;
}

function Fact({ label, children, wraps = false, className }: FactProps) {
  return (
    <div className={cn('min-w-0', className)}>
      <dt className="text-11 text-faint">{label}</dt>
      <dd className={wraps ? 'md:truncate' : 'truncate'}>{children}</dd>
    </div>
  );
}

function Steps({ count, one }: { count: number; one: string }) {
  return (
    <>
      <Count value={count} bare /> <span className="text-faint">{count === 1 ? one : `${one}s`}</span>
    </>
  );
}

function Nothing() {
  return <span className="text-faint">–</span>;
}

function tokenWords(usage: Run['usage']): string {
  const line = (count: number, words: string) => `${count.toLocaleString('en')} ${words}`;
  return [
    line(usage.inputTokens, 'sent'),
    line(usage.cachedInputTokens, 'of them from the cache'),
    line(usage.cacheWriteTokens, 'of them written to the cache'),
    line(usage.outputTokens, 'received'),
    line(usage.reasoningTokens, 'of them reasoning'),
    ...(usage.estimated ? ['A provider did not count: in part estimated'] : []),
  ].join('\n');
}
