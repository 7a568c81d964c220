/**
 * Reads sessions' documents as needed. What labels depend on is cached, because a session's events
 * stand close together.
 */
import type { Projection } from '../../projections/projection.ts';
import type { SessionState } from '../../projections/session/document.ts';
import type { ViewsReader } from '../../views/views.ts';
import { createSpendLabeller, type SpendLabeller } from '../spend/cells.ts';

export interface Spenders {
  /** Labellers of these sessions' spend, for those that have a document. */
  load(ids: readonly string[]): Promise<ReadonlyMap<string, SpendLabeller>>;
  /** Whole documents, each once; not cached. */
  documents(ids: readonly string[]): AsyncGenerator<SessionState>;
}

const keptMax = 2_000;
const documentsPerQuery = 200;

export function createSpenders(views: ViewsReader, sessions: Projection<SessionState>): Spenders {
  /** The most recently used stands last. */
  const kept = new Map<string, SpendLabeller>();

  async function* documents(ids: readonly string[]): AsyncGenerator<SessionState> {
    for (let from = 0; from < ids.length; from += documentsPerQuery) {
      const values = ids.slice(from, from + documentsPerQuery);
      const orderBy = { column: 'key', descending: false };
      const found = await views.find(sessions, {
        where: [{ column: 'key', is: 'in', values }],
        orderBy,
        limit: values.length,
      });
      for (const { body } of found) yield sessions.decode(body);
    }
  }

  return {
    documents,
    async load(ids) {
      const wanted = new Set(ids);
      const found = new Map<string, SpendLabeller>();
      for (const id of wanted) {
        const label = kept.get(id);
        if (label !== undefined) found.set(id, label);
      }
      for await (const { id, timeline, spending } of documents(
        [...wanted].filter((id) => !found.has(id)),
      )) {
        found.set(
          id,
          createSpendLabeller({ id, timeline, spending: { cellMinutes: spending.cellMinutes } }),
        );
      }
      for (const [id, label] of found) {
        kept.delete(id);
        kept.set(id, label);
      }
      for (const id of kept.keys()) {
        if (kept.size <= keptMax) break;
        kept.delete(id);
      }
      return found;
    },
  };
}
