const looks = new WeakMap<AbortSignal, () => void>();

/** Before `isStopped` answers for this signal, `look` is called: it aborts the signal where that is due. */
export function lookBeforeActing(signal: AbortSignal, look: () => void): void {
  looks.set(signal, look);
}

/**
 * Whether the signal is aborted, looked at anew. A process that stood still may act before any timer of its own has
 * run: who is about to do what cannot be taken back asks here, in the same breath.
 */
export function isStopped(signal: AbortSignal): boolean {
  looks.get(signal)?.();
  return signal.aborted;
}
