'use client';

import type { Outcome } from '@countersign/contracts';
import { useState } from 'react';
import { useTenantSlug } from '../../../api/api-provider';
import { parseExactly } from '../../../api/exact-json';
import { ApiProblem } from '../../../api/problem';
import { request } from '../../../api/request';
import { useRefresh } from '../../../api/use-read';
import { OUTCOMES } from '../data/paths';
import type { Refusal } from '../wording/refusal';

export interface Word {
  readonly happened: boolean;
  readonly message: string;
  /** What the other side answered, as JSON; empty: not known. */
  readonly output: string;
}

/** Says what became of an effect in doubt. `settled` is called once it is heard. */
export function useSettle({ runId, toolCallId }: Outcome, settled: (happened: boolean) => void) {
  const tenant = useTenantSlug();
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const settle = async ({ happened, message, output }: Word) => {
    const read = happened && output.trim() !== '' ? readOutput(output) : {};
    if (read === null) {
      setRefusal({ title: 'The answer is no JSON', detail: 'A text takes quotes: "done".' });
      return;
    }
    setBusy(true);
    setRefusal(null);
    try {
      const body = { happened, ...read, ...(message.trim() === '' ? {} : { message: message.trim() }) };
      await request(`/v1/runs/${runId}/tool-calls/${toolCallId}/outcome`, { method: 'POST', tenant, body });
      settled(happened);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setRefusal(explain(error));
    } finally {
      setBusy(false);
      void refresh(OUTCOMES);
    }
  };
  return { settle, busy, refusal };
}

function readOutput(text: string): { output: unknown } | null {
  try {
    return { output: parseExactly(text) };
  } catch {
    return null;
  }
}

function explain({ code, detail }: ApiProblem): Refusal {
  return code === 'outcome_not_expected'
    ? { title: 'Answered already', detail: 'Somebody, or the tool itself, has said what became of it.' }
    : { title: 'Your answer was not taken', detail };
}
