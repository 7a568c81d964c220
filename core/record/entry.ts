/**
 * Types for a session file's content: the header and the entries of the tree. Hosts pass the same
 * objects that they write.
 *
 * Only the common fields are parsed here; the rest stays in `body` for the recorder of its type.
 */
import { asEntryId, asInteger, asObject, asString, asText, type JsonObject } from './fields.ts';
import { keyOfUnnamed } from './identity/unnamed-entry.ts';

export interface Header {
  readonly id: string;
  readonly timestamp: string;
  readonly timeMs: number;
  readonly cwd: string | null;
  readonly formatVersion: number | null;
  /**
   * Path of the parent's file, or its id alone (omp's forks). Format v1 uses another field name.
   */
  readonly parentSession: string | null;
}

export interface Entry {
  /** The host's id. */
  readonly id: string;
  /**
   * The id in events and for identity: the host's id, if the entry had one when it was written
   * (unnamed-entry.ts).
   */
  readonly key: string;
  readonly parentId: string | null;
  readonly type: string;
  /** As in the file; part of the entry's identity. */
  readonly timestamp: string;
  readonly body: JsonObject;
}

/** Returns null for anything that is no header, or has no id or time. */
export function readHeader(value: unknown): Header | null {
  const body = asObject(value) ?? {};
  const id = asText(body.id);
  const timestamp = asString(body.timestamp) ?? '';
  const timeMs = parseTimeMs(timestamp);
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

/**
 * Returns null for anything that is no entry of the tree: headers, omp's title slot, damaged
 * lines.
 */
export function readEntry(value: unknown): Entry | null {
  const body = asObject(value) ?? {};
  const id = asEntryId(body.id);
  const type = asText(body.type);
  const timestamp = asString(body.timestamp);
  if (id === null || type === null || type === 'session' || timestamp === null) return null;
  const key = wasUnnamed(body) ? keyOfUnnamed(type, timestamp, body) : id;
  return { id, key, parentId: asEntryId(body.parentId), type, timestamp, body };
}

/** An entry of format v1, which has no id; its parent is the entry before it. */
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
export function entryRole(entry: Entry): string | null {
  return entry.type === 'message' ? asText(entryMessage(entry).role) : null;
}

export function entryMessage(entry: Entry): JsonObject {
  return asObject(entry.body.message) ?? {};
}

const lastMsOfYear9999 = 253_402_300_799_999;

/** Cache of the last timestamp: each event of an entry asks for the entry's time. */
let lastRead: { readonly text: string; readonly ms: number | null } = { text: '', ms: null };

/**
 * Milliseconds since 1970. Null outside 1970 to 9999, which neither a UUID's 48 bits nor the
 * contract's time can represent.
 */
export function parseTimeMs(timestamp: string): number | null {
  if (timestamp !== lastRead.text) lastRead = { text: timestamp, ms: readTimeMs(timestamp) };
  return lastRead.ms;
}

function readTimeMs(timestamp: string): number | null {
  const ms = Date.parse(timestamp);
  return ms >= 0 && ms <= lastMsOfYear9999 ? ms : null;
}

/** Whether an entry with an id had none when it was written. */
export function wasUnnamed(body: JsonObject): boolean {
  for (const name in body) {
    if (name === 'id') return false;
    if (name === 'timestamp') return true;
  }
  return false;
}
