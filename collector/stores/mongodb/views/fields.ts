/**
 * Values of columns and dimensions in MongoDB documents: text is text, an integer is a 64-bit
 * integer, and a field that names a time (`hour`, `day`, names ending in `At`) is a date, so that
 * other tools can group and plot by it.
 *
 * Guarantees: a value is read exactly as it was written: a text not in the format of its field is
 * stored as text. Such a text is found by equality and sorts before all dates, but no range of
 * dates includes it.
 */
import type { Scalar } from '../../../projections/projection.ts';

export type Field = string | bigint | Date | null;

/** The first and last date that JavaScript can represent. */
export const dateMin = new Date(-8.64e15);
const dateMax = new Date(8.64e15);

export function encodeField(name: string, value: Scalar | undefined): Field {
  if (typeof value === 'number') return BigInt(value);
  if (value === null || value === undefined) return null;
  return parseDate(name, value) ?? value;
}

export function decodeField(name: string, value: unknown): Scalar {
  if (value instanceof Date) return value.toISOString().slice(0, dateForm(name)?.chars);
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** An end of a range: a date when the field has dates, whatever the text. */
export function encodeBound(name: string, value: Scalar | undefined): Field {
  const field = encodeField(name, value);
  if (typeof field !== 'string' || dateForm(name) === null) return field;
  const atMs = Date.parse(field);
  if (!Number.isNaN(atMs)) return new Date(atMs);
  return field < '0' ? dateMin : dateMax;
}

interface DateForm {
  /** How much of `2026-11-22T01:02:03.456Z` is stored. */
  readonly chars: number;
  readonly rest: string;
}

const instant: DateForm = { chars: 24, rest: '' };
const forms: Readonly<Record<string, DateForm>> = {
  day: { chars: 10, rest: 'T00:00:00.000Z' },
  hour: { chars: 13, rest: ':00:00.000Z' },
};

function dateForm(name: string): DateForm | null {
  return forms[name] ?? (name.endsWith('At') ? instant : null);
}

function parseDate(name: string, text: string): Date | null {
  const form = dateForm(name);
  if (form === null || text.length !== form.chars) return null;
  const whole = text + form.rest;
  const date = new Date(whole);
  return !Number.isNaN(date.getTime()) && date.toISOString() === whole ? date : null;
}
