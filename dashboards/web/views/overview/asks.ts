/** What the overview asks, as functions of the place. */
import { type Ask, type AskParameters, ask } from '../../api/ask.ts';
import { seriesMax } from '../../charts/colours.ts';
import type { SeriesBy } from '../../charts/spend-series.ts';
import { addDays, type Period } from '../../state/period.ts';
import type { Place } from '../../state/place.ts';
import { beforeIn, between, filtersIn, periodIn } from '../../state/scope.ts';
import { instantOf } from '../../state/today.ts';
import type { AsksOfView, Today } from '../view.ts';
import { barsOf, isByHour, stepOf } from './steps.ts';

/** What bars are stacked by. Kinds have no table; providers and agents one while they are. */
const stacks = ['project', 'model', 'provider', 'user', 'kind', 'agent', 'agentKind'] as const;
export type StackedBy = (typeof stacks)[number];
/** Agents: main ones and subagents of one name are two. */
export const byAgent = 'agentKind,agent';
export type TableBy = StackedBy | typeof byAgent;

/** The most rows of one answer. */
const limit = 1_000;
/** Enough for this month and the one before, eight weeks, and four more of the last 30 days. */
const historyDays = 62;
/** Before each bar: four such weekdays. */
const usualDays = 28;
const weekdaysBefore = 8;
export const sessionsShown = 10;
/** Each billing has at most this many. */
const insightsEach = 10;

export function stackedBy({ parameters }: Place): StackedBy {
  return stacks.find((by) => by === parameters.by) ?? 'project';
}

/** The first day that the ledger has, of anybody and anything. */
export function ledgerStartAsk({ parameters }: Place) {
  return ask('/v1/usage', { by: 'day', limit: 1, timezone: parameters.tz });
}

/** By day, until now, whatever the period: the first line is made of it. */
export function historyAsk(place: Place, { day, latest = day }: Today) {
  return daysAsk(place, addDays(day, -historyDays), latest);
}

/** Each bar in all, and the four weeks before the first; the history, if it has them. */
export function totalsAsk(place: Place, today: Today) {
  const period = periodIn(place, today);
  const { since, until } = between(period);
  if (stepOf(period) === 'week')
    return ask('/v1/usage', { by: 'week', since, until, limit, ...filtersIn(place) });
  const from = addDays(since, -usualDays);
  const isInHistory =
    from >= addDays(today.day, -historyDays) && until <= (today.latest ?? today.day);
  return isInHistory ? historyAsk(place, today) : daysAsk(place, from, until);
}

/** The period by project, model, ...: a table, and which series there are. */
export function tableAsk(place: Place, today: Today, by: TableBy, cursor?: string) {
  const sessions = by === 'project' || by === 'user' ? 'include' : undefined;
  return groupAsk(place, by, periodIn(place, today), { sessions, cursor });
}

/** As much time before the period. */
export function beforeAsk(place: Place, today: Today, by: TableBy) {
  return groupAsk(place, by, beforeIn(place, today));
}

/** Bars of the first five names alone: the answer is as small with ten thousand projects. */
export function seriesAsk(
  place: Place,
  today: Today,
  by: SeriesBy,
  names: readonly (string | null)[],
) {
  const period = periodIn(place, today);
  return ask('/v1/usage', {
    by: `${barsOf(period)},${by}`,
    ...between(period),
    limit,
    ...filtersIn(place),
    [by]: names.slice(0, seriesMax).map((name) => name ?? ''),
  });
}

/** For the heat strip: hours, or days where there are too many. */
export function heatAsk(place: Place, today: Today) {
  const period = periodIn(place, today);
  const { since, until } = between(period);
  if (!isByHour(period)) return daysAsk(place, since, until);
  return ask('/v1/usage', { by: 'hour', since, until, limit, ...filtersIn(place) });
}

/** This weekday in each of the last eight weeks, until the hour that today has reached. */
export function weekdayAsks(place: Place, { day, reached }: Today) {
  if (reached === undefined) return [];
  return Array.from({ length: weekdaysBefore }, (_, week) => {
    const since = addDays(day, -7 * (week + 1));
    const until = instantOf(since, reached.hour, reached.timeZone);
    // The sum is in the total.
    return ask('/v1/usage', { by: 'day', since, until, limit: 1, ...filtersIn(place) });
  });
}

export function sessionsAsk(place: Place, today: Today) {
  const period = between(periodIn(place, today));
  return ask('/v1/sessions', {
    ...period,
    ...filtersIn(place),
    total: 'include',
    limit: sessionsShown,
  });
}

export const quotaAsk = ask('/v1/quota');
export const budgetsAsk = ask('/v1/budgets');

/** A period until today has no end: the day that has begun is compared until the same hour. */
export function insightsPeriod(place: Place, today: Today): { since: string; until?: string } {
  const { since, until } = periodIn(place, today);
  return until >= today.day ? { since } : { since, until };
}

export function insightsAsk(place: Place, today: Today) {
  const { timezone: _, ...filters } = filtersIn(place);
  return ask('/v1/insights', { ...insightsPeriod(place, today), ...filters, limit: insightsEach });
}

const tables = ['project', 'model', 'user'] as const;

/** One request has these and what the frame asks; the page asks for the rest itself. */
const asksMax = 11;

/** Charts and what needs attention are asked when these have come. */
export const overviewAsks: AsksOfView = (place, today): readonly Ask<unknown>[] => {
  const asks = [
    historyAsk(place, today),
    ...tables.flatMap((by) => [tableAsk(place, today, by), beforeAsk(place, today, by)]),
    tableAsk(place, today, stackedBy(place)),
    totalsAsk(place, today),
    quotaAsk,
    budgetsAsk,
    sessionsAsk(place, today),
    ledgerStartAsk(place),
  ];
  return [...new Map(asks.map((each) => [each.url, each])).values()].slice(0, asksMax);
};

function daysAsk(place: Place, since: string, until: string) {
  return ask('/v1/usage', { by: 'day', since, until, limit, ...filtersIn(place) });
}

type Days = Pick<Period, 'since' | 'until'>;

function groupAsk(place: Place, by: TableBy, period: Days, more: AskParameters = {}) {
  return ask('/v1/usage', { by, ...between(period), limit, ...filtersIn(place), ...more });
}
