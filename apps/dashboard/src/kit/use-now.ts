'use client';

import { useSyncExternalStore } from 'react';

/** One timer for each period, however many rows look at it. */
interface Ticker {
  now: number;
  timer: ReturnType<typeof setInterval> | undefined;
  readonly listeners: Set<() => void>;
}

const tickers = new Map<number, Ticker>();

/**
 * The time in milliseconds since 1970, moving on every `everyMs`; null while the page is made on the server, whose
 * clock and zone are not the reader's.
 */
export function useNow(everyMs = 10_000): number | null {
  return useSyncExternalStore<number | null>(
    (listener) => subscribe(everyMs, listener),
    () => tickerOf(everyMs).now,
    () => null,
  );
}

function tickerOf(everyMs: number): Ticker {
  const existing = tickers.get(everyMs);
  if (existing !== undefined) {
    return existing;
  }
  const ticker: Ticker = { now: Date.now(), timer: undefined, listeners: new Set() };
  tickers.set(everyMs, ticker);
  return ticker;
}

function subscribe(everyMs: number, listener: () => void): () => void {
  const ticker = tickerOf(everyMs);
  ticker.listeners.add(listener);
  if (ticker.timer === undefined) {
    ticker.now = Date.now();
    ticker.timer = setInterval(() => tick(ticker), everyMs);
  }
  return () => {
    ticker.listeners.delete(listener);
    if (ticker.listeners.size === 0) {
      clearInterval(ticker.timer);
      ticker.timer = undefined;
    }
  };
}

function tick(ticker: Ticker): void {
  ticker.now = Date.now();
  for (const listener of ticker.listeners) {
    listener();
  }
}
