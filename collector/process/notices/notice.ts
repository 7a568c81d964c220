/** What a crossing of a budget says, in words. Pure. */
import type { BudgetForecast, LedgerEvent } from '@pi-ledger/contract';
import { billionths } from '@pi-ledger/contract/amounts';
import { sanitizeLine } from '@pi-ledger/core/text/sanitize';
import { shareText } from '@pi-ledger/core/text/share-text';
import { dollars, shortTokens } from '../../answers/insights/text.ts';

type Crossed = LedgerEvent<'pi.budget.crossed.v1'>;
type Data = Crossed['data'];

export interface StoredCrossing {
  readonly event: Crossed;
  /** When the collector saw it. */
  readonly receivedAtMs: number;
}

const rank = { ok: 0, forecast: 1, warning: 2, over: 3 };

/** People are told when a state is reached for the first time in a period, upwards. */
export function isDue({ isFirst, from, to }: Data): boolean {
  return isFirst && rank[to] > rank[from];
}

/**
 * `Budget shop is at 81 %, a warning: ≥ $161.20 of $200.00 metered, this month.` Of a period that
 * has ended: `Budget shop was over its limit, ..., in October.`
 */
export function writeSentence({ event: { data }, receivedAtMs }: StoredCrossing): string {
  const { budget, to, from, used, limit, unit, isAtLeast } = data;
  const back = rank[to] < rank[from] ? ' again' : '';
  const share = shareText(Number(used) / Number(limit));
  const name = sanitizeLine(budget);
  const verb = hasEnded(data, receivedAtMs) ? 'was' : 'is';
  const states = {
    ok: `Budget ${name} ${verb} ok${back}, at ${share}`,
    forecast: `Budget ${name} ${verb} likely to pass its limit, now at ${share}`,
    warning: `Budget ${name} ${verb} at ${share}${back}, a warning`,
    over: `Budget ${name} ${verb} over its limit, at ${share}`,
  };
  const least = isAtLeast ? '≥ ' : '';
  const amounts = `${least}${amountText(used, unit)} of ${amountText(limit, unit)}`;
  const expected = data.forecast === undefined ? '' : expectedText(data.forecast, unit);
  return `${states[to]}: ${amounts}${kinds[unit]}, ${periodText(data, receivedAtMs)}${expected}.`;
}

/** `, and ~$214.75 at its end` */
function expectedText({ middle }: BudgetForecast, unit: Data['unit']): string {
  return `, and ~${amountText(middle, unit)} at its end`;
}

/** What the figure means, and between which it lies. */
function forecastText({ low, high }: BudgetForecast, unit: Data['unit']): string {
  const [least, most] = [amountText(low, unit), amountText(high, unit)];
  return `~: if the days left are like the last 4 of their weekdays, ${least} to ${most}`;
}

const kinds: Readonly<Record<Data['unit'], string>> = {
  'metered dollars': ' metered',
  'list-price dollars': ' at list price, not billed',
  tokens: '',
  percent: '',
};

/** A crossing can be seen after its period. */
function hasEnded({ period }: Data, receivedAtMs: number): boolean {
  return Date.parse(period.end) <= receivedAtMs;
}

/** Names the days of a period that has ended. */
function periodText(data: Data, receivedAtMs: number): string {
  const { per, period, timeZone } = data;
  if (!hasEnded(data, receivedAtMs)) return periods[per] ?? `in these ${per}`;
  const written = (instant: string, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(new Date(instant));
  const [first, last] = [period.start, lastMoment(period.end)].map((instant) =>
    written(instant, { day: 'numeric', month: 'short' }),
  );
  const ended: Readonly<Record<string, string>> = {
    day: `on ${first}`,
    month: `in ${written(period.start, { month: 'long' })}`,
    '5h window': 'in a window of 5 hours that has ended',
    'week window': 'in a window of a week that has ended',
  };
  return ended[per] ?? `from ${first} to ${last}`;
}

/** Others are so many days. */
const periods: Readonly<Record<string, string>> = {
  day: 'this day',
  week: 'this week',
  month: 'this month',
  '5h window': 'in the window of 5 hours',
  'week window': 'in the window of a week',
};

/** `unit` is never mixed: an amount is of one kind of billing. */
function amountText(amount: string, unit: Data['unit']): string {
  if (unit === 'tokens') return `${shortTokens(Number(amount))} tokens`;
  if (unit === 'percent') return shareText(Number(amount) / 100);
  return dollars(billionths(amount));
}

/** `project shop · 1 Nov 2026 to 30 Nov 2026`: what it counts, its days, and what marks mean. */
export function writeContext(data: Data): string {
  const { project, user, model, provider, label, period, timeZone } = data;
  const scope = Object.entries({ project, user, model, provider, label }).flatMap(
    ([name, value]) => (value === null ? [] : [`${name} ${sanitizeLine(value)}`]),
  );
  const ends = [toDay(period.start, timeZone), toDay(lastMoment(period.end), timeZone)];
  const days = [...new Set(ends)].join(' to ');
  const leftOut = data.isAtLeast ? ['≥: records without a known amount are left out'] : [];
  const basis = data.forecast === undefined ? [] : [forecastText(data.forecast, data.unit)];
  return [...scope, days, ...leftOut, ...basis].join(' · ');
}

function lastMoment(end: string): string {
  return new Date(Date.parse(end) - 1).toISOString();
}

/** `1 Nov 2026` */
function toDay(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone }).format(
    new Date(instant),
  );
}
