/** A connection that is made with its first use, and anew after a failure. */

interface Connecting {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/**
 * Connects with the first use. One that failed is replaced by a new one: after connections broke
 * while several sends were under way, a producer says "Broker not connected" for ever.
 */
export function renewing<Part extends Connecting>(create: () => Part) {
  let current: { readonly part: Part; readonly ready: Promise<void> } | null = null;
  function begin(): NonNullable<typeof current> {
    const part = create();
    return { part, ready: part.connect() };
  }
  return {
    async use<Result>(work: (part: Part) => Promise<Result>): Promise<Result> {
      current ??= begin();
      const used = current;
      try {
        await used.ready;
        return await work(used.part);
      } catch (error) {
        if (current === used) current = null;
        // What else it has under way fails too, and is sent again.
        void used.part.disconnect().catch(() => undefined);
        throw error;
      }
    },
    async close(): Promise<void> {
      await current?.part.disconnect();
    },
  };
}
