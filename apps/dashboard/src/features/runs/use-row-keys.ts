'use client';

import type { Run } from '@countersign/contracts';
import type { RefObject } from 'react';
import { useActions } from '../../frame/actions';

interface RowKeys {
  runs: readonly Run[];
  scroller: RefObject<HTMLElement | null>;
  /** Brings a row into sight, so that it is drawn. */
  reveal: (index: number) => void;
}

/** `j` and `k` move the focus from row to row; Enter opens, as on any link. */
export function useRowKeys({ runs, scroller, reveal }: RowKeys): void {
  const linkOf = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-row="${index}"]`);
  const move = (by: 1 | -1) => {
    const focused = document.activeElement?.getAttribute('data-row');
    const next = focused == null ? 0 : Number(focused) + by;
    if (next < 0 || next >= runs.length) {
      return;
    }
    reveal(next);
    requestAnimationFrame(() => linkOf(next)?.focus({ preventScroll: true, focusVisible: true }));
  };
  useActions('Runs', [
    { label: 'Next run', keys: 'j', palette: false, run: () => move(1) },
    { label: 'Run before', keys: 'k', palette: false, run: () => move(-1) },
  ]);
}
