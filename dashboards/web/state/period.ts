/** Which days the page shows: `range` in the URL, as days of the spender's calendar. */

export interface Period {
  /** The first day, `2026-10-24`. */
  readonly since: string;
  /** The last day, on the reader's calendar where the range is told from today. */
  readonly until: string;
  /** The last day that is asked for: later where one has begun elsewhere. */
  readonly latest: string;
  readonly days: number;
  /** As the scope bar says it: `Last 30 days`. */
  readonly words: string;
}

export const rangeDefault = '30d';

/** Those that can be picked; any `2026-10-01..2026-10-31` can be linked to. */
export const ranges = [
  ...(['today', 'yesterday', '7d', '30d', '90d'] as const),
  ...(['month', 'last-month', 'year', 'all'] as const),
] as const;

/** Ten years: a column for each day of more would keep a browser busy for minutes. */
const daysMax = 3_660;

/**
 * What cannot be read, or is longer than ten years, counts as the default. `today`: a day;
 * `latest`: the latest that has begun anywhere, which a range told from today asks for too;
 * `first`: the first day that the ledger has, where that is known.
 */
export function periodOf(
  range: string | undefined,
  today: string,
  latest = today,
  first?: string,
): Period {
  const named = namedPeriod(range ?? rangeDefault, today, latest, first);
  return named ?? periodOf(rangeDefault, today, latest);
}

/** Whether the page can show what the URL names, so that it is not the default instead. */
export function isPeriod(range: string, today: string): boolean {
  return namedPeriod(range, today, today) !== null;
}

function namedPeriod(text: string, today: string, latest: string, first?: string): Period | null {
  const over = endedBefore(text, today);
  if (over !== null) return over;
  const named = text === 'all' ? allUntil(today, first) : fromToday(text, today);
  const read = named === null ? spelledOut(text) : { ...named, latest };
  return read === null || read.days > daysMax ? null : read;
}

/** Those that are over: nothing that begins elsewhere is added. */
function endedBefore(text: string, today: string): Period | null {
  const yesterday = addDays(today, -1);
  if (text === 'yesterday') return { ...between(yesterday, yesterday), words: 'Yesterday' };
  if (text !== 'last-month') return null;
  const last = addDays(monthStart(today), -1);
  return { ...between(monthStart(last), last), words: 'Last month' };
}

function allUntil(today: string, first = earliestUntil(today)): Period {
  const [since = today] = [first, today].toSorted();
  const [, latest = today] = [since, earliestUntil(today)].toSorted();
  return { ...between(latest, today), words: 'All time' };
}

function earliestUntil(today: string): string {
  return addDays(today, 1 - daysMax);
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
export function daysOf({ since, days }: Pick<Period, 'since' | 'days'>): readonly string[] {
  return Array.from({ length: days }, (_, index) => addDays(since, index));
}

/** Those that have begun elsewhere alone. */
export function laterDays({ until, latest }: Period): readonly string[] {
  return until < latest ? daysOf(between(addDays(until, 1), latest)) : [];
}

/** The first day of the month of `day`. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

function fromToday(text: string, today: string): Period | null {
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
  return { since, until, latest: until, days, words: `${since} to ${until}` };
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
