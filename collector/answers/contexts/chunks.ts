/** Reads chunks of the projection `context`: their keys and versions, or the chunks themselves. */

import type { ContextChunk } from '../../projections/context/chunk.ts';
import { context } from '../../projections/context.ts';
import type { DocumentQuery, ViewDocument, ViewsReader } from '../../views/views.ts';

export interface ChunkVersion {
  readonly key: string;
  /** How many events were folded into it: serves as its version. */
  readonly events: number;
}

const sessionsPerQueryMax = 500;
const versionsPerQueryMax = 5_000;
/** A chunk usually has around ten thousand characters. */
const chunksPerQueryMax = 100;

/** By session, in order of time; without sessions that have no chunks. */
export async function findChunks(
  views: ViewsReader,
  sessions: readonly string[],
): Promise<ReadonlyMap<string, readonly ChunkVersion[]>> {
  const found = new Map<string, ChunkVersion[]>();
  for (let from = 0; from < sessions.length; from += sessionsPerQueryMax) {
    const isOne = {
      column: 'session',
      is: 'in' as const,
      values: sessions.slice(from, from + sessionsPerQueryMax),
    };
    for await (const { key, columns } of allOf(views, {
      where: [isOne],
      limit: versionsPerQueryMax,
      bodies: false,
    })) {
      const session = String(columns.session);
      const versions = found.get(session) ?? [];
      found.set(session, versions);
      versions.push({ key, events: Number(columns.events) });
    }
  }
  return found;
}

export async function readChunks(
  views: ViewsReader,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ContextChunk>> {
  const chunks = new Map<string, ContextChunk>();
  for (let from = 0; from < keys.length; from += chunksPerQueryMax) {
    const isOne = {
      column: 'key',
      is: 'in' as const,
      values: keys.slice(from, from + chunksPerQueryMax),
    };
    for await (const { key, body } of allOf(views, { where: [isOne], limit: chunksPerQueryMax }))
      chunks.set(key, context.decode(body));
  }
  return chunks;
}

async function* allOf(
  views: ViewsReader,
  query: Omit<DocumentQuery, 'orderBy' | 'after'>,
): AsyncGenerator<ViewDocument> {
  let last: ViewDocument | undefined;
  for (;;) {
    const after = last === undefined ? {} : { after: { value: last.key, key: last.key } };
    const page = await views.find(context, {
      ...query,
      orderBy: { column: 'key', descending: false },
      ...after,
    });
    yield* page;
    last = page.at(-1);
    if (page.length < query.limit) return;
  }
}
