'use client';

import { useSyncExternalStore } from 'react';

/** One timer for each period, however many rows look at it. */
interface Ticker {
  readonly now: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}

const tickers = new Map<number, Ticker>();

/**
 * The time in milliseconds since 1970, moving on every `everyMs`; null while the page is made on the server, whose
 * clock and zone are not the reader's.
 */
export function useNow(everyMs = 10_000): number | null {
  const ticker = tickerOf(everyMs);
  return useSyncExternalStore<number | null>(ticker.subscribe, ticker.now, () => null);
}

function tickerOf(everyMs: number): Ticker {
  const existing = tickers.get(everyMs);
  if (existing !== undefined) {
    return existing;
  }
  const ticker = makeTicker(everyMs);
  tickers.set(everyMs, ticker);
  return ticker;
}

/** Stands still while nobody looks; catches up with the first who does. */
function makeTicker(everyMs: number): Ticker {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    now = Date.now();
    for (const listener of listeners) {
      listener();
    }
  };
  return {
    now: () => now,
    subscribe: (listener) => {
      listeners.add(listener);
      if (timer === undefined) {
        timer = setInterval(tick, everyMs);
        now = Date.now() - now >= everyMs ? Date.now() : now;
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      };
    },
  };
}
