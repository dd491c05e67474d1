'use client';

import type { Approval } from '@countersign/contracts';
import { useEffect, useRef, useState } from 'react';
import { type Decision, useDecide } from '../data/use-decide';
import type { Refusal } from '../wording/refusal';
import { summarize } from '../wording/summary';
import { HOLD_SECONDS } from '../wording/what-happens';
import type { Decided } from './decided';
import { isMeant, noteChange } from './slow-hand';

/** What the card is doing: showing the request, or taking an edit or a reason. */
export type Mode = 'look' | 'edit' | 'reject';

/** Arguments in place of those that were asked for, and whether this one signature is enough for them. */
interface ApprovedEdit {
  readonly value: unknown;
  readonly suffices: boolean;
}

interface CardDecision {
  readonly mode: Mode;
  readonly setMode: (mode: Mode) => void;
  readonly message: string;
  readonly setMessage: (message: string) => void;
  readonly busy: boolean;
  /** Why the last decision was not taken. */
  readonly refusal: Refusal | null;
  readonly approve: (edit?: ApprovedEdit) => void;
  readonly reject: (reason: string) => void;
}

/** The decision on one card, from the first key to the answer. */
export function useDecision(approval: Approval, onDecided: (decided: Decided) => void): CardDecision {
  const { decide } = useDecide();
  const [mode, setMode] = useState<Mode>('look');
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const digest = useRef(approval.argumentsDigest);
  useEffect(() => {
    if (digest.current !== approval.argumentsDigest) {
      digest.current = approval.argumentsDigest;
      noteChange(performance.now());
    }
  }, [approval.argumentsDigest]);

  const send = async (decision: Decision, next: string | null) => {
    if (busy || !isMeant(performance.now())) {
      return;
    }
    setBusy(true);
    setRefusal(null);
    // Counted from before the request: the API's own five seconds begin later, and end after these.
    const held = next === null ? null : { next, until: Date.now() + HOLD_SECONDS * 1_000 };
    const answer = await decide(approval, decision);
    setBusy(false);
    noteChange(performance.now());
    if (answer.type === 'taken') {
      const summary = summarize(answer.approval);
      onDecided({ approval: answer.approval, summary, held });
      setMode('look');
      setMessage('');
    } else {
      setRefusal(answer.refusal);
      setMode((now) => (now === 'edit' && answer.errors.length > 0 ? now : 'look'));
    }
  };

  return {
    mode,
    setMode: (next) => {
      setMode(next);
      setRefusal(null);
    },
    message,
    setMessage,
    busy,
    refusal,
    approve: (edit) =>
      void send(
        {
          decision: 'approve',
          message: message.trim(),
          holdSeconds: HOLD_SECONDS,
          ...(edit === undefined ? {} : { editedArguments: edit.value }),
        },
        edit?.suffices === false ? 'another is asked' : 'begins',
      ),
    reject: (reason) => void send({ decision: 'reject', message: reason }, null),
  };
}
