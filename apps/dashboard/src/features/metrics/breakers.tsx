'use client';

import type { Breaker } from '@countersign/contracts';
import { Outcome } from '../../api/outcome';
import { type Page, useRead, useSend } from '../../api/use-read';
import { useSession } from '../../frame/session';
import { Badge } from '../../kit/badge';
import { Button } from '../../kit/button';
import { InertText } from '../../kit/inert-text';
import { Skeleton } from '../../kit/skeleton';
import { toast } from '../../kit/toast';
import { Until } from '../../kit/until';
import { Nothing, Panel } from './panel';

const PATH = '/v1/breakers';
const REFETCH_MS = 10_000;

/** The tenant's circuit breakers with failures that stand: what is not called for a while, and whoever may, closes it. */
export function Breakers() {
  const { can } = useSession();
  const breakers = useRead<Page<Breaker>>(PATH, {}, { enabled: can('agents:read'), every: REFETCH_MS });
  return (
    <Panel title="Circuit breakers now" className="lg:col-span-12">
      <Outcome of={breakers} what="see the circuit breakers" skeleton={<Skeleton className="h-10 w-full" />}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>Tools and providers answer.</Nothing>
          ) : (
            <ul aria-label="Circuit breakers" className="flex flex-col divide-y divide-line-soft">
              {data.map((breaker) => (
                <OneBreaker key={breaker.id} breaker={breaker} />
              ))}
            </ul>
          )
        }
      </Outcome>
    </Panel>
  );
}

const STATES = {
  closed: { word: 'Failing', tone: 'amber' },
  open: { word: 'Open', tone: 'red' },
  half_open: { word: 'Half-open', tone: 'violet' },
} as const;

function OneBreaker({ breaker }: { breaker: Breaker }) {
  const { can } = useSession();
  const { about, state, owner } = breaker;
  const { word, tone } = STATES[state];
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 py-1 max-md:py-2">
      <span className="md:w-20">
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span className="min-w-0 font-medium max-md:flex-1">
        <InertText text={'tool' in about ? about.tool : about.model} />
      </span>
      <span className="min-w-0 flex-1 text-12 text-muted max-md:order-last max-md:basis-full">
        <About breaker={breaker} />
      </span>
      {owner === 'tenant' && can('runs:write') && <Reset breaker={breaker} />}
    </li>
  );
}

function About({ breaker }: { breaker: Breaker }) {
  const { about, failures, lastError, state, retryAt, owner } = breaker;
  return (
    <>
      {'provider' in about && (
        <>
          <InertText text={about.baseUrl ?? about.provider} />,{' '}
        </>
      )}
      {owner === 'deployment'
        ? 'called with the key of the deployment: it closes by itself'
        : `${failures} ${failures === 1 ? 'failure' : 'failures'} running`}
      {lastError !== null && (
        <>
          , the last <span className="font-mono">{lastError}</span>
        </>
      )}
      {state === 'open' && retryAt !== null && (
        <>
          ; one call is let through <Until at={Date.parse(retryAt)} />
        </>
      )}
      {state === 'half_open' && '; the next call is let through as a probe'}
    </>
  );
}

function Reset({ breaker: { id, about } }: { breaker: Breaker }) {
  const send = useSend([PATH]);
  const name = 'tool' in about ? about.tool : about.model;
  const reset = () =>
    send.mutate(
      { method: 'POST', path: `${PATH}/${id}/reset` },
      {
        onSuccess: () => toast(`Calls of ${name} go out again`),
        onError: ({ detail }) => toast('The breaker was not reset', { detail, tone: 'problem' }),
      },
    );
  return (
    <Button size="small" busy={send.isPending} onClick={reset} aria-label={`Reset ${name}`}>
      Reset
    </Button>
  );
}
