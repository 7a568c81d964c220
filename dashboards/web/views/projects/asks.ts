/** What the views of all projects and of one project ask. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import { billings } from '../../../../contract/answers/billings.ts';
import { type Ask, type AskParameters, ask } from '../../api/ask.ts';
import type { SeriesBy } from '../../charts/spend-series.ts';
import { nanoUsdOf } from '../../format/spend.ts';
import type { Period } from '../../state/period.ts';
import type { Place } from '../../state/place.ts';
import { beforeIn, between, filtersIn, periodIn } from '../../state/scope.ts';
import { ledgerStartAsk } from '../overview/asks.ts';
import { stepOf } from '../overview/steps.ts';
import type { AsksOfView, Today } from '../view.ts';

/** The most of one answer. */
const limit = 1_000;
const sessions = 'include';

export function projectsAsk(place: Place, today: Today, cursor?: string) {
  const period = between(periodIn(place, today));
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
  const period = between(beforeIn(place, today));
  return ask('/v1/usage', { by: 'project', ...period, ...filtersIn(place), limit });
}

/** The filters of the scope, and the project of the path; the empty one is what is not known. */
function ofProject(place: Place): AskParameters {
  return { ...filtersIn(place), project: place.id ?? '' };
}

type Days = Pick<Period, 'since' | 'until'>;

function usage(place: Place, period: Days, by: string, more: AskParameters = {}) {
  return ask('/v1/usage', { by, ...between(period), ...ofProject(place), limit, ...more });
}

export function totalAsk(place: Place, today: Today) {
  return usage(place, periodIn(place, today), 'project');
}

export function beforeAsk(place: Place, today: Today) {
  return usage(place, beforeIn(place, today), 'project');
}

/** The first day that has spend, whatever the period. */
export function firstDayAsk(place: Place) {
  return ask('/v1/usage', { by: 'day', ...ofProject(place), limit: 1 });
}

/** The last such day. */
export function lastDayAsk(place: Place) {
  return ask('/v1/usage', { by: 'project', ...ofProject(place), lastDay: 'include', limit: 1 });
}

export function peopleAsk(place: Place, today: Today) {
  return usage(place, periodIn(place, today), 'user');
}

/** By day; a long period by week. */
export function stepsAsk(place: Place, today: Today) {
  const period = periodIn(place, today);
  return usage(place, period, stepOf(period));
}

/** Who has spent, the costliest first: the series of the chart. */
export function namesAsk(place: Place, today: Today, by: string) {
  return usage(place, periodIn(place, today), by, { sessions });
}

/** As much time before. */
export function namesBeforeAsk(place: Place, today: Today, by: string) {
  return usage(place, beforeIn(place, today), by);
}

/** Asks for these names alone, so that the answer stays small with many of them. */
export function seriesAsk(
  place: Place,
  today: Today,
  by: SeriesBy,
  names: readonly (string | null)[],
) {
  const period = periodIn(place, today);
  const only = { [by]: names.map((name) => name ?? '') };
  return usage(place, period, `${stepOf(period)},${by}`, only);
}

/** What each session cost, by person. */
export function costsAsk(place: Place, today: Today) {
  return usage(place, periodIn(place, today), 'user,session');
}

const sessionsMax = 200;

/** The costliest are asked for by one kind of billing: that of `costliestBy`. */
export function sessionsAsk(place: Place, today: Today, billing: Billing, cursor?: string) {
  const period = between(periodIn(place, today));
  const sort = place.parameters.order === 'newest' ? 'newest' : billing;
  const total = cursor === undefined ? 'include' : undefined;
  const page = { limit: sessionsMax, cursor };
  return ask('/v1/sessions', { ...period, ...ofProject(place), sort, total, ...page });
}

/** The first kind of billing that has spend: without any of it, all sessions would tie at zero. */
export function costliestBy(total: UsageFigures): Billing {
  return billings.find((billing) => nanoUsdOf(total, billing) !== 0n) ?? 'metered';
}

export function compactionsAsk(place: Place, today: Today) {
  return ask('/v1/compactions', {
    ...between(periodIn(place, today)),
    ...ofProject(place),
    limit: 1,
  });
}

const stacks = ['branch', 'model', 'user', 'kind', 'agent'] as const;
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
    lastDayAsk(place),
    peopleAsk(place, today),
    stepsAsk(place, today),
    namesAsk(place, today, 'branch'),
    costsAsk(place, today),
    // What most projects have; another kind of billing is asked for when the total has come.
    sessionsAsk(place, today, 'metered'),
    compactionsAsk(place, today),
  ];
};
