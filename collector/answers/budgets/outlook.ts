/** What is expected of budgets until their periods end, for `GET /v1/budgets`. */
import type { Budget } from '@pi-ledger/contract/answers';
import { fullAtMs } from '../quota/forecast.ts';
import { amountText, isOfWindow, isVerifiedOnly, limitOf, type NamedBudget } from './definition.ts';
import {
  type Forecast,
  forecastDays,
  forecastDaysMin,
  forecastOf,
  reachedAtMs,
} from './forecast.ts';
import type { Measured } from './measure.ts';
import { addDays, periodAt, zoneOf } from './periods.ts';
import { readSpendRows, readVerifiedRows, type SpendViews, spendOf } from './spend.ts';
import type { MeasuredWindow } from './windows.ts';

export type Outlook = Pick<Budget, 'forecast' | 'noForecast' | 'fullAt'>;

/** The same for every budget that nothing is expected of. */
export const noOutlook: Outlook = { forecast: null, noForecast: 'not known', fullAt: null };

/** Forecasts the budgets of calendar periods whose amounts are known. */
export async function outlooks(
  asked: SpendViews,
  measured: readonly Measured[],
  nowMs: number,
): Promise<ReadonlyMap<NamedBudget, Outlook>> {
  const calendar = measured.filter(
    ({ budget, used }) => used !== null && !isOfWindow(budget.definition),
  );
  const groups = Map.groupBy(calendar, ({ budget }) =>
    JSON.stringify([budget.definition.timeZone, isVerifiedOnly(budget)]),
  );
  const found = new Map<NamedBudget, Outlook>();
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const zone = zoneOf(first.budget.definition.timeZone);
    const today = zone.dayAt(nowMs);
    const budgets = group.map(({ budget }) => budget);
    const days = { zone, firstDay: addDays(today, -forecastDays), lastDay: today };
    const read = isVerifiedOnly(first.budget) ? readVerifiedRows : readSpendRows;
    const rows = (await read(asked, budgets, days, true)) ?? [];
    const byDay = Map.groupBy(rows, ({ dimensions }) => dimensions.day ?? '');
    for (const { budget, used } of group) {
      const { lastDay } = periodAt(budget.definition, zone, nowMs);
      const spent = [...byDay].map(([day, ofDay]) => [day, spendOf(budget, ofDay)] as const);
      const question = {
        days: new Map(
          spent.filter(([, { used: some }]) => some > 0n).map(([day, some]) => [day, some.used]),
        ),
        today,
        lastDay,
        used: used ?? 0n,
      };
      const startOf = (day: string) => zone.startOf(day);
      found.set(budget, outlookOf(budget, forecastOf(question), used ?? 0n, { nowMs, startOf }));
    }
  }
  return found;
}

interface Clock {
  readonly nowMs: number;
  startOf(day: string): number;
}

function outlookOf(
  { definition }: NamedBudget,
  forecast: Forecast | null,
  used: bigint,
  clock: Clock,
): Outlook {
  if (forecast === null) return { ...noOutlook, noForecast: tooFewDays };
  const text = (amount: bigint) => amountText(amount, definition.unit);
  const { low, middle, high } = forecast;
  const limit = limitOf(definition);
  return {
    forecast: { low: text(low), middle: text(middle), high: text(high), basis },
    noForecast: null,
    fullAt: isoOf(reachedAtMs({ forecast, used, limit, ...clock })),
  };
}

const tooFewDays = `its first spend is less than ${forecastDaysMin} days ago`;
const basis = 'median, lowest and highest of the last 4 days of each weekday';

/** A window goes on at its rate so far. */
export function windowOutlook({ budget, window, used }: MeasuredWindow, nowMs: number): Outlook {
  if (window === null) return { ...noOutlook, noForecast: 'no such window is known' };
  const isoMs = (text: string | null) => (text === null ? null : Date.parse(text));
  const full = fullAtMs({
    usedShare: Number(used ?? 0n) / Number(limitOf(budget.definition)),
    startsAtMs: isoMs(window.startsAt),
    endsAtMs: isoMs(window.endsAt),
    atMs: isoMs(window.toldAt) ?? nowMs,
  });
  return { forecast: null, noForecast: 'a window: `fullAt` says when', fullAt: isoOf(full) };
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
