'use client';

import { type RefObject, useRef } from 'react';
import { useActions } from './actions';

interface RowKeys {
  /** The group under which the keys are listed. */
  group: string;
  /** What one row is: `run` gives `Next run`. */
  noun: string;
  /** Holds the rows that are drawn, each a `[data-index]`. */
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** Whether the row at this place holds a `[data-stop]`, which takes the focus. */
  isStop: (index: number) => boolean;
  /** Where to begin while no row has the focus; -1: at the first. */
  start: number;
  /** Brings a row into sight, so that it is drawn. */
  reveal: (index: number) => void;
  moved?: (index: number) => void;
}

/**
 * `j` and `k` move the focus from row to row; Enter presses what has it, as everywhere.
 *
 * @returns takes the focus along to this row, where another row has it
 */
export function useRowKeys(keys: RowKeys): (index: number) => void {
  const { group, noun, scroller, count, isStop, start, reveal, moved } = keys;
  // A row that is not drawn yet gets the focus a frame later: keys pressed meanwhile go on from there.
  const coming = useRef<number | null>(null);
  const focus = (index: number): boolean => {
    const stop = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-stop]`);
    stop?.focus({ preventScroll: true, focusVisible: true });
    return stop != null;
  };
  const focused = (): number | null => {
    const row = document.activeElement?.closest<HTMLElement>('[data-index]');
    return row != null && scroller.current?.contains(row) === true ? Number(row.dataset.index) : null;
  };
  const bring = (index: number) => {
    reveal(index);
    if (!focus(index)) {
      coming.current = index;
      requestAnimationFrame(() => {
        focus(index);
        coming.current = null;
      });
    }
  };
  const move = (by: 1 | -1) => {
    let next = (coming.current ?? focused() ?? start) + by;
    while (next >= 0 && next < count && !isStop(next)) {
      next += by;
    }
    if (next >= 0 && next < count) {
      bring(next);
      moved?.(next);
    }
  };
  useActions(group, [
    { label: `Next ${noun}`, keys: 'j', palette: false, run: () => move(1) },
    {
      label: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} before`,
      keys: 'k',
      palette: false,
      run: () => move(-1),
    },
  ]);
  return (index) => {
    const place = coming.current ?? focused();
    if (place !== null && place !== index) {
      bring(index);
    }
  };
}
