import { dayStartMs, isDay } from '@pi-ledger/core/time/day';
import { UsageError } from './command.ts';

/**
 * `--since` and `--until` in the API's form: a day (`2026-11-22`, the spender's own) or an instant
 * (ISO, UTC). `today`, `yesterday` and `7d` (seven days before today, by the reader's clock or in
 * `timeZone`) become days; `24h` becomes an instant.
 */
export function resolveMoment(option: string, text: string, now: Date, timeZone?: string): string {
  if (isDay(text)) {
    return text;
  }
  const daysBack = text === 'today' ? 0 : text === 'yesterday' ? 1 : numberBefore(text, 'd');
  if (daysBack !== null) {
    return dayBefore(timeZone === undefined ? localDay(now) : dayIn(timeZone, now), daysBack);
  }
  const hoursBack = numberBefore(text, 'h');
  const instant = hoursBack === null ? Date.parse(text) : now.getTime() - hoursBack * 3_600_000;
  if (
    Number.isNaN(instant) ||
    (hoursBack === null && !(isDay(text.slice(0, 10)) && text[10] === 'T'))
  ) {
    throw new UsageError(
      `--${option}: expected a day (2026-11-22), an instant (2026-11-22T14:00:00Z), today, ` +
        `yesterday, 7d or 24h, got "${text}"`,
    );
  }
  return new Date(instant).toISOString();
}

interface Bounds {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Both bounds in the API's form. Throws a UsageError for a period that lies in the future or whose
 * end is before its start. Days may be anybody's, so a period is wrong only if it is in every zone.
 */
export function resolvePeriod({ since, until }: Bounds, now: Date, timeZone?: string): Bounds {
  const period = {
    since: since === undefined ? undefined : resolveMoment('since', since, now, timeZone),
    until: until === undefined ? undefined : resolveMoment('until', until, now, timeZone),
  };
  if (period.since === undefined) return period;
  const sinceMs = earliestMs(period.since);
  if (period.until !== undefined && isReversed(period.since, period.until))
    throw new UsageError(`--since ${period.since} is after --until ${period.until}`);
  if (sinceMs > now.getTime())
    throw new UsageError(`--since ${period.since} is in the future: nothing is recorded yet`);
  return period;
}

function isReversed(since: string, until: string): boolean {
  if (since.length === until.length) return since > until;
  return earliestMs(since) >= latestMs(until);
}

const [zoneAheadMs, zoneBehindMs, dayMs] = [14 * 3_600_000, 12 * 3_600_000, 86_400_000];

function earliestMs(moment: string): number {
  const start = dayStartMs(moment);
  return start === null ? Date.parse(moment) : start - zoneAheadMs;
}

function latestMs(moment: string): number {
  const start = dayStartMs(moment);
  return start === null ? Date.parse(moment) : start + dayMs + zoneBehindMs;
}

function numberBefore(text: string, unit: 'd' | 'h'): number | null {
  const match = /^(\d{1,5})([dh])$/.exec(text);
  return match?.[2] === unit ? Number(match[1]) : null;
}

/** `--timezone`, checked. Throws a UsageError if there is no such zone. */
export function expectTimeZone(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    dayIn(name, new Date(0));
    return name;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      `--timezone: expected the name of a time zone (Europe/Berlin), got "${name}"`,
    );
  }
}

function dayIn(timeZone: string, date: Date): string {
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const parts = new Map(
    new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', options)
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
}

function dayBefore(day: string, days: number): string {
  return new Date((dayStartMs(day) ?? 0) - days * 86_400_000).toISOString().slice(0, 10);
}

function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
