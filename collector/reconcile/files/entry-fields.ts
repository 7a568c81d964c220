/** Fields of a session file's lines, read without trust. Pure. */
import { type Json, jsonObject } from './usage-figures.ts';

export function readMessage(line: Json): Json | null {
  return line.type === 'message' ? (jsonObject(line.message) ?? {}) : null;
}

export const textCharsMax = 500;
const lastMsOfYear9999 = Date.UTC(10_000, 0, 1) - 1;

export function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, textCharsMax) : null;
}

export function parseTime(timestamp: unknown): number | null {
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return ms >= 0 && ms <= lastMsOfYear9999 ? ms : null;
}

export function jsonObjects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(jsonObject).filter((member) => member !== null) : [];
}
