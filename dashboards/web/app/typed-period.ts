/** Periods as people type them. Pure. */
import { addDays, monthStart, rangeOf } from '../state/period.ts';

interface TypedPeriod {
  /** As the URL has it. */
  readonly range: string;
  readonly name: string;
}

/** `yesterday`, `2026-11-10`, `2026-11-01..2026-11-10`, `2026-11`, `last week`, `14d`. */
export function typedPeriod(typed: string, today: string): TypedPeriod | null {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const week = /^(this|last) week$/.exec(text)?.[1];
  if (week !== undefined) return { range: weekOf(today, week === 'last'), name: `${week} week` };
  const days = /^(?:last )?(\d{1,4}) ?d(?:ays)?$/.exec(text)?.[1];
  if (days !== undefined) return { range: `${days}d`, name: `Last ${days} days` };
  const [first, last, ...more] = text.split(/\.\.| to /);
  const [since, until] = [spanOf(first ?? '')?.since, spanOf(last ?? first ?? '')?.until];
  if (more.length > 0 || since === undefined || until === undefined || since > until) return null;
  return { range: rangeOf({ since, until }), name: since === until ? since : text };
}

/** `2026-11-`: no id, which begins with eight letters and digits. */
export function isDayBegun(text: string): boolean {
  return /^\d{4}-\d{0,2}(-\d{0,2})?$/.test(text);
}

/** Where nothing fits what was typed. */
export function nothingFound(text: string): string {
  const day = noSuchDay(text);
  if (day === null) return 'Nothing found.';
  return `There is no ${day.length === 7 ? 'month' : 'day'} ${day}.`;
}

/** What looks like a day or a month, and is none: `2026-11-31`. */
function noSuchDay(typed: string): string | null {
  const days = typed.match(/\b\d{4}-\d\d(-\d\d)?(?![\w-])/g) ?? [];
  return days.find((day) => spanOf(day) === null) ?? null;
}

/** From Monday on. */
function weekOf(today: string, isLast: boolean): string {
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = addDays(today, -weekday);
  return isLast
    ? rangeOf({ since: addDays(monday, -7), until: addDays(monday, -1) })
    : rangeOf({ since: monday, until: today });
}

/** A day or a month. */
function spanOf(text: string): { readonly since: string; readonly until: string } | null {
  const since = text.length === 7 ? `${text}-01` : text;
  const time = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(`${since}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(since)) return null;
  const isMonth = text.length === 7;
  return { since, until: isMonth ? addDays(monthStart(addDays(since, 31)), -1) : since };
}
