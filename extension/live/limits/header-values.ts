/** Numbers and times in the headers of rate limits, in each spelling that is usual. Pure. */
import { asCount } from '../../../core/record/fields.ts';

export function amountOf(value: string): number | null {
  const amount = decimal.test(value) ? Number(value) : Number.NaN;
  return amount <= Number.MAX_SAFE_INTEGER ? amount : null;
}

const decimal = /^\d{1,16}(?:\.\d{1,12})?$/;

/** A time, an epoch in seconds or milliseconds, seconds from now, or a duration such as `6m0s`. */
export function resetOf(value: string, nowMs: number): number | null {
  const number = amountOf(value);
  if (number !== null && number >= epochMsMin) return asCount(number);
  if (number !== null && number >= epochSecondsMin) return asCount(number * 1_000);
  const wait = waitOf(value, nowMs) ?? durationOf(value);
  return wait === null ? null : asCount(nowMs + wait);
}

/** No wait takes thirty years. */
const epochSecondsMin = 1_000_000_000;
const epochMsMin = 1_000_000_000_000;

/** Seconds, or a time (a past time is no wait). */
export function waitOf(value: string, nowMs: number): number | null {
  const seconds = amountOf(value);
  if (seconds !== null) return seconds * 1_000;
  const atMs = date.test(value) ? Date.parse(value) : Number.NaN;
  return atMs >= 0 ? Math.max(0, atMs - nowMs) : null;
}

/** RFC 3339 or HTTP date. */
const date = /^(?:\d{4}-\d\d-\d\dT|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} )/;

function durationOf(value: string): number | null {
  const parts = value === '' ? null : duration.exec(value);
  if (parts === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + milliseconds;
}

const duration = new RegExp(
  [
    String.raw`^(?:(\d{1,5})d)?`,
    String.raw`(?:(\d{1,5})h)?`,
    String.raw`(?:(\d{1,6})m)?`,
    String.raw`(?:(\d{1,8}(?:\.\d{1,9})?)s)?`,
    String.raw`(?:(\d{1,9}(?:\.\d{1,6})?)ms)?$`,
  ].join(''),
);
