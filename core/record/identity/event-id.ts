/**
 * Event ids. The first 48 bits are a time in ms, so that ids written together are adjacent in an
 * index.
 */
import { randomBytes } from 'node:crypto';
import type { EventTypeName } from '@pi-ledger/contract';
import type { Entry } from '../entry.ts';
import { canonicalJson, textJson } from './canonical-json.ts';
import { sha256Hex } from './sha256.ts';

/** A header or an entry whose time could be read. */
export type Dated = Pick<Entry, 'id' | 'timestamp'> & { readonly timeMs: number };

/** Distinguishes entries with the same id: ids are unique within one file only. */
export interface Identity {
  readonly responseId: string | null;
  /** The host's usage object, verbatim; null when the entry has none. */
  readonly usage: unknown;
}

/** For entries with neither. */
export const plainIdentity: Identity = { responseId: null, usage: null };

/**
 * A UUIDv8 computed from the entry alone, the same live and imported: the entry's time, then
 * SHA-256 over canonical JSON of [event type without version, entry id, timestamp, response id,
 * usage]. The type is included because one entry can give two events. 12 bits of the hash follow
 * the version, and 62 the variant.
 */
export function entryEventId(type: EventTypeName, entry: Dated, identity: Identity): string {
  const { responseId, usage } = identity;
  const name = textJson(withoutVersion(type));
  const dated = `${textJson(entry.id)},${textJson(entry.timestamp)}`;
  const said = `[${name},${dated},${canonicalJson(responseId)},${canonicalJson(usage ?? null)}]`;
  const hex = sha256Hex(said);
  return toUuid(entry.timeMs, '8', hex.slice(0, 19));
}

function withoutVersion(type: EventTypeName): string {
  return type.slice(0, type.lastIndexOf('.v'));
}

/** A UUIDv7 for an event that only the live host shows: drawn once when it is recorded. */
export function liveEventId(nowMs: number): string {
  return toUuid(nowMs, '7', randomDigits());
}

/** `hex`: 19 digits; of the fourth only two bits are used. */
function toUuid(timeMs: number, version: '7' | '8', hex: string): string {
  const third = version + hex.slice(0, 3);
  const fourth = variantDigit(hex) + hex.slice(4, 7);
  return `${timeDigits(timeMs)}-${third}-${fourth}-${hex.slice(7)}`;
}

const idDigits = 20;
const idsPerDraw = 128;
let drawn = '';
let used = 0;

/**
 * Drawn for many ids at once: when the code is cold, the platform's random UUID takes four times as
 * long.
 */
function randomDigits(): string {
  if (used === drawn.length)
    [drawn, used] = [randomBytes((idsPerDraw * idDigits) / 2).toString('hex'), 0];
  used += idDigits;
  return drawn.slice(used - idDigits, used - 1);
}

/** 48 bits, in two parts: engines format small integers faster. */
function timeDigits(timeMs: number): string {
  return `${hexDigits(Math.floor(timeMs / 0x10000), 8)}-${hexDigits(timeMs % 0x10000, 4)}`;
}

function hexDigits(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

/** Binary 10, and the lower two bits of the fourth digit. */
function variantDigit(hex: string): string {
  return '89ab89ab89ab89ab'.charAt('0123456789abcdef'.indexOf(hex.charAt(3)));
}
