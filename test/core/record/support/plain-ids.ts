/**
 * The definition of an id and its canonical text in the simplest code: no caching, no shortcuts.
 */
import { createHash } from 'node:crypto';

export function plainCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainCanonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => JSON.stringify(member) !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${plainCanonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

export interface Said {
  readonly type: string;
  readonly id: string;
  readonly timestamp: string;
  readonly timeMs: number;
  readonly responseId: string | null;
  readonly usage: unknown;
}

export function plainEntryEventId({
  type,
  id,
  timestamp,
  timeMs,
  responseId,
  usage,
}: Said): string {
  const name = type.replace(/\.v\d+$/, '');
  const text = plainCanonicalJson([name, id, timestamp, responseId, usage ?? null]);
  const hash = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  const bits = (from: number, count: number) =>
    (hash >> BigInt(256 - from - count)) & ((1n << BigInt(count)) - 1n);
  const uuid =
    (BigInt(timeMs) << 80n) |
    (8n << 76n) |
    (bits(0, 12) << 64n) |
    (0b10n << 62n) |
    (bits(14, 2) << 60n) |
    bits(16, 60);
  const hex = uuid.toString(16).padStart(32, '0');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
