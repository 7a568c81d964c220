/**
 * What the values of columns and dimensions are in a MongoDB document: text is text, an integer is
 * a 64-bit integer, and what names a time (`hour`, `day`, every name that ends in `At`) is a date,
 * so that other tools can group and draw by it.
 *
 * Guarantees: what is read is what was written, letter by letter: a text that is not in its field's
 * form is kept as text. Such a one is found by equality and stands before all dates when sorted,
 * but no range of dates includes it.
 */
import type { Scalar } from '../../../projections/projection.ts';

export type Field = string | bigint | Date | null;

/** Ends of all dates that JavaScript can write. */
export const dateMin = new Date(-8.64e15);
const dateMax = new Date(8.64e15);

export function encodeField(name: string, value: Scalar | undefined): Field {
  if (typeof value === 'number') return BigInt(value);
  if (value === null || value === undefined) return null;
  return dateOf(name, value) ?? value;
}

export function decodeField(name: string, value: unknown): Scalar {
  if (value instanceof Date) return value.toISOString().slice(0, formOf(name)?.chars);
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** An end of a range: of dates when the field has dates, whatever the text. */
export function encodeBound(name: string, value: Scalar | undefined): Field {
  const field = encodeField(name, value);
  if (typeof field !== 'string' || formOf(name) === null) return field;
  const atMs = Date.parse(field);
  if (!Number.isNaN(atMs)) return new Date(atMs);
  return field < '0' ? dateMin : dateMax;
}

interface DateForm {
  /** How much of `2026-11-22T01:02:03.456Z` is written. */
  readonly chars: number;
  readonly rest: string;
}

const instant: DateForm = { chars: 24, rest: '' };
const forms: Readonly<Record<string, DateForm>> = {
  day: { chars: 10, rest: 'T00:00:00.000Z' },
  hour: { chars: 13, rest: ':00:00.000Z' },
};

function formOf(name: string): DateForm | null {
  return forms[name] ?? (name.endsWith('At') ? instant : null);
}

function dateOf(name: string, text: string): Date | null {
  const form = formOf(name);
  if (form === null || text.length !== form.chars) return null;
  const whole = text + form.rest;
  const date = new Date(whole);
  return !Number.isNaN(date.getTime()) && date.toISOString() === whole ? date : null;
}
