/**
 * Event ids. Their first 48 bits are a time in ms, so that ids written together stand together in an index.
 */
import { randomUUID } from 'node:crypto';
import type { EventTypeName } from '@pi-ledger/contract';
import { canonicalJson } from './canonical-json.ts';
import type { Entry } from './entry.ts';
import { sha256Hex } from './sha256.ts';

/** A header or an entry whose time could be read. */
export type Dated = Pick<Entry, 'id' | 'timestamp'> & { readonly timeMs: number };

/** What tells an entry from others with the same id: ids are unique within one file only. */
export interface Identity {
  readonly responseId: string | null;
  /** The host's usage object, verbatim; null when the entry has none. */
  readonly usage: unknown;
}

/** For entries that have neither. */
export const plainIdentity: Identity = { responseId: null, usage: null };

/**
 * A UUIDv8 computed from the entry alone, the same live and imported: the entry's time, then SHA-256 over canonical JSON of
 * [event type without version, entry id, timestamp, response id, usage]. The type is in it because one entry can yield two events.
 */
export function entryEventId(type: EventTypeName, entry: Dated, identity: Identity): string {
  const name = type.replace(/\.v\d+$/, '');
  const said = canonicalJson([name, entry.id, entry.timestamp, identity.responseId, identity.usage ?? null]);
  return uuid(8, entry.timeMs, sha256Hex(said));
}

/** A UUIDv7 for what only the live host saw: drawn when it is recorded, and kept from then on. */
export function liveEventId(nowMs: number, randomHex: string = drawHex()): string {
  return uuid(7, nowMs, randomHex);
}

/** 24 digits from the platform's pool of random UUIDs (drawing bytes of our own costs ten times as much), without the two that say version and variant. */
function drawHex(): string {
  const random = randomUUID();
  return random.slice(0, 8) + random.slice(9, 13) + random.slice(24);
}

/** 48 bits of time, 4 of version, 12 of `hex`, 2 of variant, 62 of `hex`. */
function uuid(version: 7 | 8, timeMs: number, hex: string): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(hex.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}
