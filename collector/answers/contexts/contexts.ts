/**
 * Sessions' contexts, from the chunks of the projection `context`. What was read and computed is
 * cached until a chunk of the session changes, within named bounds; then only the changed chunks
 * are read again.
 *
 * Contract: the code that asks has checked that the caller may see these sessions. Rejects when the
 * store fails.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContextChunk } from '../../projections/context/chunk.ts';
import type { ViewsReader } from '../../views/views.ts';
import type { AuditRow } from '../context/audit.ts';
import type { HostFamily } from '../context/threshold.ts';
import { type ChunkVersion, findChunks, readChunks } from './chunks.ts';
import type { Lineage } from './lineage.ts';
import { createLruCache } from './lru-cache.ts';
import { createSessionContext, type SessionContext } from './session-context.ts';

export interface AskedSession {
  readonly lineage: Lineage;
  readonly host: HostFamily;
}

export interface SessionContexts {
  open(asked: AskedSession): Promise<SessionContext>;
  /** The audit of each session, by its id. */
  audits(asked: readonly AskedSession[]): Promise<ReadonlyMap<string, readonly AuditRow[]>>;
  /** One for each: as long as it is the same, so is all that its context says. */
  versions(asked: readonly AskedSession[]): Promise<readonly string[]>;
}

/** Entries of all sessions that are kept whole; a session of 20,000 turns has 60,000. */
const entriesMax = 100_000;
/** Audit rows of all sessions. A row takes about a kilobyte. */
const rowsMax = 20_000;
const sessionsPerReadMax = 50;

interface Kept {
  readonly chunks: ReadonlyMap<string, Held>;
  readonly context: SessionContext;
}

interface Held extends ChunkVersion {
  readonly chunk: ContextChunk;
}

export function createSessionContexts(views: ViewsReader): SessionContexts {
  const whole = createLruCache<Kept>(entriesMax);
  const rows = createLruCache<readonly AuditRow[]>(rowsMax);

  async function openAt(
    { lineage, host }: AskedSession,
    found: Found,
    isKept: boolean,
  ): Promise<SessionContext> {
    const [key, version] = [keyOf(lineage, host), versionOf(lineage, found)];
    const known = whole.get(key, version);
    if (known !== null) return known.context;
    const chunks = await held(lineage, found, whole.peek(key)?.chunks ?? new Map());
    const bySession = lineage.map((id) =>
      (found.get(id) ?? []).flatMap((place) => chunks.get(place.key)?.chunk ?? []),
    );
    const context = createSessionContext(lineage, bySession, host);
    if (isKept) whole.set(key, version, { chunks, context }, context.entries);
    return context;
  }

  /** Reads only the chunks that are not held yet. */
  async function held(
    lineage: Lineage,
    found: Found,
    known: Kept['chunks'],
  ): Promise<Kept['chunks']> {
    const places = lineage.flatMap((id) => found.get(id) ?? []);
    const fresh = places.filter(({ key, events }) => known.get(key)?.events !== events);
    const read = await readChunks(
      views,
      fresh.map(({ key }) => key),
    );
    const chunks = new Map<string, Held>();
    for (const place of places) {
      const chunk = read.get(place.key) ?? known.get(place.key)?.chunk;
      if (chunk !== undefined) chunks.set(place.key, { ...place, chunk });
    }
    return chunks;
  }

  return {
    async open(asked) {
      return openAt(asked, await findChunks(views, asked.lineage), true);
    },
    async audits(asked) {
      const audits = new Map<string, readonly AuditRow[]>();
      for (let from = 0; from < asked.length; from += sessionsPerReadMax) {
        const some = asked.slice(from, from + sessionsPerReadMax);
        const found = await findChunks(views, [...new Set(some.flatMap(({ lineage }) => lineage))]);
        for (const one of some) {
          const [key, version] = [keyOf(one.lineage, one.host), versionOf(one.lineage, found)];
          const known = rows.get(key, version);
          const audit = known ?? (await openAt(one, found, false)).audit();
          if (known === null) rows.set(key, version, audit, Math.max(1, audit.length));
          audits.set(one.lineage[0], audit);
          if (known === null) await nextTurn();
        }
      }
      return audits;
    },
    async versions(asked) {
      const found = await findChunks(views, [...new Set(asked.flatMap(({ lineage }) => lineage))]);
      return asked.map(
        ({ lineage, host }) => `${keyOf(lineage, host)} ${versionOf(lineage, found)}`,
      );
    },
  };
}

type Found = ReadonlyMap<string, readonly ChunkVersion[]>;

function keyOf(lineage: Lineage, host: HostFamily): string {
  return JSON.stringify([host, ...lineage]);
}

/**
 * Chunks only grow, by whole events, and a rebuilt view holds the same chunk for the same events.
 */
function versionOf(lineage: Lineage, found: Found): string {
  return lineage.map((id) => (found.get(id) ?? []).map(({ events }) => events).join(',')).join(';');
}
