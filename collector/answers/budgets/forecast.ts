/**
 * What a budget will have used at its period's end (docs/budgets.md has the formulas). Pure.
 *
 * For each day that is left: the median, the lowest and the highest of the last four days of that
 * weekday. Of today, what these leave after today's own spend. Exact: nothing is rounded but the
 * middle of two days, down.
 */
import { addDays, weekdayOf } from './periods.ts';

export interface ForecastQuestion {
  /** What days had, without those that had nothing. */
  readonly days: ReadonlyMap<string, bigint>;
  readonly today: string;
  /** The period's. */
  readonly lastDay: string;
  readonly used: bigint;
}

interface DayForecast {
  readonly day: string;
  readonly low: bigint;
  readonly middle: bigint;
  readonly high: bigint;
}

export interface Forecast {
  readonly low: bigint;
  readonly middle: bigint;
  readonly high: bigint;
  /** Today's rest, and the days after it. */
  readonly rest: readonly DayForecast[];
}

const weeks = 4;
/** How far back days are looked at. */
export const forecastDays = weeks * 7;
/** Two of each weekday. */
export const forecastDaysMin = 14;

/** Returns null unless some spend is old enough. Days after the first without any count as zero. */
export function forecastOf({ days, today, lastDay, used }: ForecastQuestion): Forecast | null {
  const earliest = addDays(today, -forecastDays);
  const first = [...days.keys()].filter((day) => day >= earliest).toSorted()[0];
  if (first === undefined || first > addDays(today, -forecastDaysMin)) return null;
  const rest: DayForecast[] = [];
  for (let day = today; day <= lastDay; day = addDays(day, 1)) {
    const before = [...sameWeekdays(day, today, first)].map((each) => days.get(each) ?? 0n);
    const spent = day === today ? (days.get(today) ?? 0n) : 0n;
    rest.push({ day, ...beyond(spreadOf(before), spent) });
  }
  const sum = (name: 'low' | 'middle' | 'high') =>
    rest.reduce((total, each) => total + each[name], used);
  return { low: sum('low'), middle: sum('middle'), high: sum('high'), rest };
}

/** The last days before today of this weekday, not before the first. */
function* sameWeekdays(day: string, today: string, first: string): Generator<string> {
  let daysBack = (weekdayOf(today) - weekdayOf(day) + 7) % 7 || 7;
  for (let week = 0; week < weeks; week++, daysBack += 7) {
    const each = addDays(today, -daysBack);
    if (each >= first) yield each;
  }
}

type Spread = Omit<DayForecast, 'day'>;

function spreadOf(amounts: readonly bigint[]): Spread {
  const sorted = amounts.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const at = (index: number): bigint => sorted[index] ?? 0n;
  const half = Math.floor(sorted.length / 2);
  const middle = sorted.length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2n;
  return { low: at(0), middle, high: at(sorted.length - 1) };
}

function beyond({ low, middle, high }: Spread, spent: bigint): Spread {
  const left = (amount: bigint): bigint => (amount > spent ? amount - spent : 0n);
  return { low: left(low), middle: left(middle), high: left(high) };
}

export interface ReachQuestion {
  readonly forecast: Forecast;
  readonly used: bigint;
  readonly limit: bigint;
  readonly nowMs: number;
  startOf(day: string): number;
}

/** When the middle reaches the limit, evenly within its day. Null: already, or not at all. */
export function reachedAtMs(question: ReachQuestion): number | null {
  const { forecast, used, limit, nowMs, startOf } = question;
  if (used >= limit) return null;
  let sum = used;
  for (const { day, middle } of forecast.rest) {
    if (middle > 0n && sum + middle >= limit) {
      const fromMs = Math.max(nowMs, startOf(day));
      const toMs = startOf(addDays(day, 1));
      const share = Number(limit - sum) / Number(middle);
      return Math.round(fromMs + (toMs - fromMs) * share);
    }
    sum += middle;
  }
  return null;
}
