/** What the views of all projects and of one project ask. */
import { type Ask, type AskParameters, ask } from '../../api/ask.ts';
import type { SeriesBy } from '../../charts/spend-series.ts';
import { type Period, periodBefore } from '../../state/period.ts';
import type { Place } from '../../state/place.ts';
import { between, filtersIn, periodIn } from '../../state/scope.ts';
import { ledgerStartAsk } from '../overview/asks.ts';
import { stepOf } from '../overview/steps.ts';
import type { AsksOfView, Today } from '../view.ts';

/** The most of one answer. */
const limit = 1_000;
const sessions = 'include';

export function projectsAsk(place: Place, today: Today, cursor?: string) {
  const period = between(periodIn(place, today.day));
  return ask('/v1/usage', {
    by: 'project',
    ...period,
    ...filtersIn(place),
    limit,
    cursor,
    sessions,
  });
}

export function projectsBeforeAsk(place: Place, today: Today) {
  const period = between(periodBefore(periodIn(place, today.day)));
  return ask('/v1/usage', { by: 'project', ...period, ...filtersIn(place), limit });
}

/** The filters of the scope, and the project of the path; the empty one is what is not known. */
function ofProject(place: Place): AskParameters {
  return { ...filtersIn(place), project: place.id ?? '' };
}

function usage(place: Place, period: Period, by: string, more: AskParameters = {}) {
  return ask('/v1/usage', { by, ...between(period), ...ofProject(place), limit, ...more });
}

export function totalAsk(place: Place, today: Today) {
  return usage(place, periodIn(place, today.day), 'project', { lastDay: 'include' });
}

export function beforeAsk(place: Place, today: Today) {
  return usage(place, periodBefore(periodIn(place, today.day)), 'project');
}

/** The first day of all that has spend. */
export function firstDayAsk(place: Place) {
  return ask('/v1/usage', { by: 'day', ...ofProject(place), limit: 1 });
}

export function peopleAsk(place: Place, today: Today) {
  return usage(place, periodIn(place, today.day), 'user');
}

/** By day; a long period by week. */
export function stepsAsk(place: Place, today: Today) {
  const period = periodIn(place, today.day);
  return usage(place, period, stepOf(period));
}

/** Who has spent, the dearest first: the series of the chart. */
export function namesAsk(place: Place, today: Today, by: string) {
  return usage(place, periodIn(place, today.day), by, { sessions });
}

/** As much time before. */
export function namesBeforeAsk(place: Place, today: Today, by: string) {
  return usage(place, periodBefore(periodIn(place, today.day)), by);
}

/** Of these names alone, so that the answer stays small with many of them. */
export function seriesAsk(
  place: Place,
  today: Today,
  by: SeriesBy,
  names: readonly (string | null)[],
) {
  const period = periodIn(place, today.day);
  const only = { [by]: names.map((name) => name ?? '') };
  return usage(place, period, `${stepOf(period)},${by}`, only);
}

/** What each session cost, by person. */
export function costsAsk(place: Place, today: Today) {
  return usage(place, periodIn(place, today.day), 'user,session');
}

const sessionsMax = 200;

export function sessionsAsk(place: Place, today: Today, cursor?: string) {
  const { label: _, ...filters } = ofProject(place);
  const period = between(periodIn(place, today.day));
  const sort = place.parameters.order === 'newest' ? 'newest' : 'metered';
  const total = cursor === undefined ? 'include' : undefined;
  const page = { limit: sessionsMax, cursor };
  return ask('/v1/sessions', { ...period, ...filters, sort, total, ...page });
}

export function compactionsAsk(place: Place, today: Today) {
  const { user, host } = filtersIn(place);
  const { since, until } = periodIn(place, today.day);
  const project = place.id ?? '';
  return ask('/v1/compactions', { project, user, host, since, until, limit: 1 });
}

const stacks = ['branch', 'model', 'user', 'kind'] as const;
export type StackedBy = (typeof stacks)[number];

export function stackedBy({ parameters }: Place): StackedBy {
  return stacks.find((by) => by === parameters.by) ?? 'branch';
}

/** What the table of parts is of: branches, commits, pull requests, or the values of a label. */
export function partedBy({ parameters: { of = '' } }: Place): string {
  return of === 'commit' || of === 'pr' || /^label:./.test(of) ? of : 'branch';
}

export const projectsAsks: AsksOfView = (place, today): readonly Ask<unknown>[] => {
  if (place.id === null)
    return [projectsAsk(place, today), projectsBeforeAsk(place, today), ledgerStartAsk(place)];
  return [
    totalAsk(place, today),
    beforeAsk(place, today),
    firstDayAsk(place),
    peopleAsk(place, today),
    stepsAsk(place, today),
    namesAsk(place, today, 'branch'),
    costsAsk(place, today),
    sessionsAsk(place, today),
    compactionsAsk(place, today),
  ];
};
