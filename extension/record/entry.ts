/**
 * What a session file holds, narrowed: the header and the entries of the tree. Hosts hand out the same objects that they write.
 *
 * Only what every entry has is read here; the rest stays in `body` for the recorder of its type.
 */
import { asEntryId, asInteger, asObject, asString, asText, type JsonObject } from './fields.ts';

export interface Header {
  readonly id: string;
  readonly timestamp: string;
  readonly timeMs: number;
  readonly cwd: string | null;
  readonly formatVersion: number | null;
  /** Path of the parent's file, or its bare id (omp's forks). */
  readonly parentSession: string | null;
}

export interface Entry {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  /** As the file has it; part of the entry's identity. */
  readonly timestamp: string;
  readonly body: JsonObject;
}

/** Null for what is no header, or has no id or time to be known by. */
export function readHeader(value: unknown): Header | null {
  const body = asObject(value);
  const id = asText(body?.id);
  const timestamp = asString(body?.timestamp);
  const timeMs = timeMsOf(timestamp);
  if (body === null || body.type !== 'session' || id === null || id.length > 200 || timestamp === null || timeMs === null) return null;
  return {
    id,
    timestamp,
    timeMs,
    cwd: asString(body.cwd),
    formatVersion: asInteger(body.version),
    parentSession: asString(body.parentSession),
  };
}

/** Null for what is no entry of the tree: headers, omp's title slot, damaged lines. */
export function readEntry(value: unknown): Entry | null {
  const body = asObject(value);
  const id = asEntryId(body?.id);
  const type = asText(body?.type);
  const timestamp = asString(body?.timestamp);
  if (body === null || id === null || type === null || type === 'session' || timestamp === null) return null;
  return { id, parentId: asEntryId(body.parentId), type, timestamp, body };
}

/** The role of a message entry; null for entries of other types. */
export function roleOf(entry: Entry): string | null {
  return entry.type === 'message' ? asText(messageOf(entry).role) : null;
}

export function messageOf(entry: Entry): JsonObject {
  return asObject(entry.body.message) ?? {};
}

const lastMsOfYear9999 = 253_402_300_799_999;

/** Milliseconds since 1970; null outside 1970 to 9999, which neither a UUID's 48 bits nor the contract's time can say. */
export function timeMsOf(timestamp: string | null): number | null {
  const ms = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return ms >= 0 && ms <= lastMsOfYear9999 ? ms : null;
}
