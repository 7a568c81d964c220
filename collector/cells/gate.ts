/** What some work waits at until it is open. */
export interface Gate {
  open(): void;
  close(): void;
  /**
   * Returns null while it is open. Else the promise resolves when it opens, and rejects when the
   * signal aborts.
   */
  wait(signal: AbortSignal): Promise<void> | null;
}

/** Closed at first. */
export function createGate(): Gate {
  let isOpen = false;
  let opening = Promise.withResolvers<void>();
  return {
    open() {
      isOpen = true;
      opening.resolve();
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      opening = Promise.withResolvers<void>();
    },
    wait: (signal) => (isOpen ? null : unlessAborted(opening.promise, signal)),
  };
}

async function unlessAborted(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    signal.throwIfAborted();
    await Promise.race([awaited, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
