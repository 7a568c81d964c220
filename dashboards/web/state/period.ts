/** Which days the page shows: `range` in the URL, as days of the spender's calendar. */

export interface Period {
  /** The first day, `2026-10-24`. */
  readonly since: string;
  /** The last day. */
  readonly until: string;
  readonly days: number;
  /** As the scope bar says it: `Last 30 days`. */
  readonly words: string;
}

export const rangeDefault = '30d';

/** Those that can be picked; any `2026-10-01..2026-10-31` can be linked to. */
export const ranges = ['today', '7d', '30d', '90d', 'month', 'year'] as const;

/** Ten years: a column for each day of more would keep a browser busy for minutes. */
const daysMax = 3_660;

/** What cannot be read, or is longer than ten years, counts as the default. `today`: a day. */
export function periodOf(range: string | undefined, today: string): Period {
  const text = range ?? rangeDefault;
  const read = named(text, today) ?? spelledOut(text);
  return read === null || read.days > daysMax ? periodOf(rangeDefault, today) : read;
}

/** As many days as `period`, right before it. */
export function periodBefore({ since, days }: Period): Period {
  return between(addDays(since, -days), addDays(since, -1));
}

/** As many days, right after it. */
export function periodAfter({ until, days }: Period): Period {
  return between(addDays(until, 1), addDays(until, days));
}

/** How the URL names it. */
export function rangeOf({ since, until }: Pick<Period, 'since' | 'until'>): string {
  return `${since}..${until}`;
}

export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Every day of it, the first first. */
export function daysOf({ since, days }: Period): readonly string[] {
  return Array.from({ length: days }, (_, index) => addDays(since, index));
}

/** The first day of the month of `day`. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

function named(text: string, today: string): Period | null {
  if (text === 'today') return { ...between(today, today), words: 'Today' };
  if (text === 'month') return { ...between(monthStart(today), today), words: 'This month' };
  if (text === 'year')
    return { ...between(`${today.slice(0, 4)}-01-01`, today), words: 'This year' };
  const days = Number(/^(\d{1,4})d$/.exec(text)?.[1]);
  if (!(days >= 1)) return null;
  return { ...between(addDays(today, 1 - days), today), words: `Last ${days} days` };
}

function spelledOut(text: string): Period | null {
  const [, since = '', until = ''] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  return isDay(since) && isDay(until) && since <= until ? between(since, until) : null;
}

function between(since: string, until: string): Period {
  const days = Math.round((Date.parse(until) - Date.parse(since)) / 86_400_000) + 1;
  return { since, until, days, words: `${since} to ${until}` };
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
