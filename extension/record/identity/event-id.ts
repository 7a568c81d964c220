/**
 * Event ids. Their first 48 bits are a time in ms, so that ids written together stand together in
 * an index.
 */
import { randomBytes } from 'node:crypto';
import type { EventTypeName } from '@pi-ledger/contract';
import type { Entry } from '../entry.ts';
import { canonicalJson, textJson } from './canonical-json.ts';
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
 * A UUIDv8 computed from the entry alone, the same live and imported: the entry's time, then
 * SHA-256 over canonical JSON of [event type without version, entry id, timestamp, response id,
 * usage]. The type is in it because one entry can yield two events. Of the hash 12 bits stand
 * behind the version, and 62 behind the variant.
 */
export function entryEventId(type: EventTypeName, entry: Dated, identity: Identity): string {
  const { responseId, usage } = identity;
  const name = textJson(withoutVersion(type));
  const said = `[${name},${textJson(entry.id)},${textJson(entry.timestamp)},${canonicalJson(responseId)},${canonicalJson(usage ?? null)}]`;
  const hex = sha256Hex(said);
  return `${timeDigits(entry.timeMs)}-8${hex.slice(0, 3)}-${variantOf(hex)}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}

function withoutVersion(type: EventTypeName): string {
  return type.slice(0, type.lastIndexOf('.v'));
}

/** A UUIDv7 for what only the live host saw: drawn when it is recorded, and kept from then on. */
export function liveEventId(nowMs: number): string {
  const hex = randomDigits();
  return `${timeDigits(nowMs)}-7${hex.slice(0, 3)}-${variantOf(hex)}${hex.slice(4, 7)}-${hex.slice(7)}`;
}

const idDigits = 20;
const idsPerDraw = 128;
let drawn = '';
let used = 0;

/**
 * Drawn for many ids at once: where the code is cold, a random UUID of the platform's takes four
 * times as long.
 */
function randomDigits(): string {
  if (used === drawn.length)
    [drawn, used] = [randomBytes((idsPerDraw * idDigits) / 2).toString('hex'), 0];
  used += idDigits;
  return drawn.slice(used - idDigits, used - 1);
}

/** 48 bits, in two parts: an engine writes small integers faster. */
function timeDigits(timeMs: number): string {
  return `${hexDigits(Math.floor(timeMs / 0x10000), 8)}-${hexDigits(timeMs % 0x10000, 4)}`;
}

function hexDigits(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

/** Binary 10, and the lower two bits of the fourth digit. */
function variantOf(hex: string): string {
  return '89ab89ab89ab89ab'.charAt('0123456789abcdef'.indexOf(hex.charAt(3)));
}
