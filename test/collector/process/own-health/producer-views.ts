/** A view of producers, each with so many drops because the spool was full. */
import { producers } from '../../../../collector/projections/producers.ts';
import type { ViewDocument, ViewsReader } from '../../../../collector/views/views.ts';

export function producerViews(spoolFull: readonly number[]): ViewsReader {
  const documents = spoolFull.map((count, index): ViewDocument => {
    const key = String(index).padStart(6, '0');
    const state = producers.initial(key);
    state.dropped.spoolFull = count;
    return { key, columns: { lastSeenAt: `2026-05-01T11:${key}` }, body: producers.encode(state) };
  });
  return {
    live: async () => null,
    sum: async () => [],
    tally: async () => [],
    count: async () => documents.length,
    setAside: async () => ({ count: 0, events: [] }),
    async find(_projection, { after, limit }) {
      const from = after === undefined ? 0 : Number(after.key) + 1;
      return documents.slice(from, from + limit);
    },
  };
}
