'use client';

import type { Approval } from '@countersign/contracts';
import { useEffect, useRef } from 'react';
import { toast } from '../../../kit/toast';
import { whyNotSent } from '../wording/refusal';
import type { useDecision } from './use-decision';

/** An edit that is open when the approval ends elsewhere goes from the page: says that it was not sent, and why. */
export function useOvertakenEdit(
  approval: Approval,
  { mode, busy, setMode }: ReturnType<typeof useDecision>,
  selfId: string,
): void {
  // One that is being sent gets an answer of its own.
  const overtaken = mode === 'edit' && !busy && approval.status !== 'pending';
  const latest = useRef({ approval, setMode });
  useEffect(() => {
    latest.current = { approval, setMode };
  });
  useEffect(() => {
    if (overtaken) {
      toast(whyNotSent(latest.current.approval, selfId), { tone: 'problem' });
      latest.current.setMode('look');
    }
  }, [overtaken, selfId]);
}
