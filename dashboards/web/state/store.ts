/** A value that parts of the page read and are told about. */
export interface Store<Value> {
  read(): Value;
  write(value: Value): void;
  /** Ends by the result. */
  watch(listener: () => void): () => void;
}

export function createStore<Value>(first: Value): Store<Value> {
  const listeners = new Set<() => void>();
  let held = first;
  return {
    read: () => held,
    write(value) {
      if (Object.is(value, held)) return;
      held = value;
      for (const listener of [...listeners]) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
