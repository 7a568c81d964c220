/**
 * What a session file holds, narrowed: the header and the entries of the tree. Hosts hand out the
 * same objects that they write.
 *
 * Only what every entry has is read here; the rest stays in `body` for the recorder of its type.
 */
import { asEntryId, asInteger, asObject, asString, asText, type JsonObject } from './fields.ts';
import { keyOfUnnamed, wasUnnamed } from './identity/unnamed-entry.ts';

export interface Header {
  readonly id: string;
  readonly timestamp: string;
  readonly timeMs: number;
  readonly cwd: string | null;
  readonly formatVersion: number | null;
  /** Path of the parent's file, or its bare id (omp's forks). Format v1 has another name for it. */
  readonly parentSession: string | null;
}

export interface Entry {
  /** What the host knows it by. */
  readonly id: string;
  /**
   * What events call it, and what tells it from others: its id, if it had one when it was written
   * (unnamed-entry.ts).
   */
  readonly key: string;
  readonly parentId: string | null;
  readonly type: string;
  /** As the file has it; part of the entry's identity. */
  readonly timestamp: string;
  readonly body: JsonObject;
}

/** Null for what is no header, or has no id or time to be known by. */
export function readHeader(value: unknown): Header | null {
  const body = asObject(value) ?? {};
  const id = asText(body.id);
  const timestamp = asString(body.timestamp) ?? '';
  const timeMs = timeMsOf(timestamp);
  if (body.type !== 'session' || id === null || id.length > sessionIdCharsMax || timeMs === null)
    return null;
  return {
    id,
    timestamp,
    timeMs,
    cwd: asString(body.cwd),
    formatVersion: asInteger(body.version),
    parentSession: asString(body.parentSession) ?? asString(body.branchedFrom),
  };
}

const sessionIdCharsMax = 200;

/** Null for what is no entry of the tree: headers, omp's title slot, damaged lines. */
export function readEntry(value: unknown): Entry | null {
  const body = asObject(value) ?? {};
  const id = asEntryId(body.id);
  const type = asText(body.type);
  const timestamp = asString(body.timestamp);
  if (id === null || type === null || type === 'session' || timestamp === null) return null;
  const key = wasUnnamed(body) ? keyOfUnnamed(type, timestamp, body) : id;
  return { id, key, parentId: asEntryId(body.parentId), type, timestamp, body };
}

/** An entry of format v1, which has no id and hangs below the one in front of it. */
export function readUnnamedEntry(value: unknown, parentId: string | null): Entry | null {
  const body = asObject(value) ?? {};
  const type = asText(body.type);
  const timestamp = asString(body.timestamp);
  if (
    body.id !== undefined ||
    type === null ||
    type === 'session' ||
    type === 'title' ||
    timestamp === null
  )
    return null;
  const key = keyOfUnnamed(type, timestamp, body);
  return { id: key, key, parentId, type, timestamp, body };
}

/** The role of a message entry; null for entries of other types. */
export function roleOf(entry: Entry): string | null {
  return entry.type === 'message' ? asText(messageOf(entry).role) : null;
}

export function messageOf(entry: Entry): JsonObject {
  return asObject(entry.body.message) ?? {};
}

const lastMsOfYear9999 = 253_402_300_799_999;

/** The last text that was read, and its time: each event of an entry asks for the entry's. */
let lastRead: { readonly text: string; readonly ms: number | null } = { text: '', ms: null };

/**
 * Milliseconds since 1970; null outside 1970 to 9999, which neither a UUID's 48 bits nor the
 * contract's time can say.
 */
export function timeMsOf(timestamp: string): number | null {
  if (timestamp !== lastRead.text) lastRead = { text: timestamp, ms: readTimeMs(timestamp) };
  return lastRead.ms;
}

function readTimeMs(timestamp: string): number | null {
  const ms = Date.parse(timestamp);
  return ms >= 0 && ms <= lastMsOfYear9999 ? ms : null;
}
