/** What some work waits at until it is open. */
export interface Gate {
  open(): void;
  close(): void;
  /** Resolves at once while it is open. Rejects with the signal's reason when that aborts. */
  passed(signal: AbortSignal): Promise<void>;
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
    async passed(signal) {
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const onAbort = (): void => reject(signal.reason);
      signal.addEventListener('abort', onAbort);
      try {
        signal.throwIfAborted();
        await Promise.race([opening.promise, aborted]);
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
