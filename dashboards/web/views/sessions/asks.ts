/** What the sessions' list and a session ask. */
import { type Ask, ask } from '../../api/ask.ts';
import type { Place } from '../../state/place.ts';
import { between, filtersIn, periodIn } from '../../state/scope.ts';
import type { AsksOfView, Today } from '../view.ts';

/** At most as many points and items are drawn; the collector thins longer sessions. */
const pointsMax = 1_000;

export function detailsAsk({ id }: Place) {
  return ask('/v1/sessions/{id}', { id: id ?? '' });
}

export function seriesAsk({ id }: Place) {
  return ask('/v1/context/{session}/series', { session: id ?? '', points: pointsMax });
}

/** All of the session, for the lanes. */
export function timelineAsk({ id }: Place) {
  return ask('/v1/sessions/{id}/timeline', { id: id ?? '', points: pointsMax });
}

/** The part that is looked at alone: a long session is thinned less there. */
export function partAsk({ id, parameters: { from, to } }: Place) {
  return ask('/v1/sessions/{id}/timeline', { id: id ?? '', points: pointsMax, from, to });
}

export const turnChoices = [
  { value: 'all', words: 'all' },
  { value: 'costliest', words: 'costliest' },
  { value: 'failed', words: 'failed' },
  { value: 'misses', words: 'cache misses' },
] as const;

/** A session with more items than are drawn is listed as so many ranges. */
const rangesMax = 60;

export function rangesAsk(place: Place) {
  return turnsAsk(place, rangesMax);
}

/** What the table of turns shows: a choice, or a stretch of a long session. */
export function turnsAsk(place: Place, points = pointsMax) {
  const { id, parameters } = place;
  const only = turnChoices.find(({ value }) => value !== 'all' && value === parameters.turns);
  return ask('/v1/sessions/{id}/timeline', {
    id: id ?? '',
    points,
    only: only?.value,
    from: parameters.from,
    to: parameters.to,
  });
}

/** `at`: an entry; undefined: the newest. */
export function contextAsk({ id }: Place, at?: string) {
  return ask('/v1/context/{session}', { session: id ?? '', points: 10, at });
}

/** `root`: of the tree. */
export function treeAsk(root: string) {
  return ask('/v1/sessions', { tree: [root], limit: 100, ignored: 'include' });
}

/** What the API sorts sessions by; the name of the column in the URL. */
const listSorts = ['metered', 'subscription', 'unknown'] as const;

/** The API sorts by few columns, over all pages, and has no order but the largest first. */
export function isSortedByApi(column: string): boolean {
  return column === 'lastSeen' || listSorts.some((name) => name === column);
}

/** Sorted by another column, which needs all rows. */
export function isSortedHere({ parameters }: Place): boolean {
  const [table, column = ''] = parameters.sort?.split(':') ?? [];
  return table === 'sessions' && !isSortedByApi(column);
}

/** A page of the list; the first also says how many there are. */
export function listAsk(place: Place, today: Today, cursor?: string) {
  return ask('/v1/sessions', {
    ...listParameters(place, today, cursor),
    total: cursor === undefined ? 'include' : undefined,
  });
}

/** The same page with how full the windows are: it is slower, so it is asked apart. */
export function listContextAsk(place: Place, today: Today, cursor?: string) {
  return ask('/v1/sessions', { ...listParameters(place, today, cursor), context: 'include' });
}

function listParameters(place: Place, today: Today, cursor: string | undefined) {
  const [table, column] = place.parameters.sort?.split(':') ?? [];
  const sort = table === 'sessions' ? listSorts.find((name) => name === column) : undefined;
  const period = between(periodIn(place, today));
  return { ...period, ...filtersIn(place), sort, limit: isSortedHere(place) ? 1_000 : 50, cursor };
}

export const sessionsAsks: AsksOfView = (place, today): readonly Ask<unknown>[] =>
  place.id === null
    ? [listAsk(place, today)]
    : [detailsAsk(place), seriesAsk(place), timelineAsk(place), contextAsk(place)];
