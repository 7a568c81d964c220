/** What the sessions' list and a session ask. */
import { type Ask, ask } from '../../api/ask.ts';
import type { Place } from '../../state/place.ts';
import type { AsksOfView } from '../view.ts';

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

export const turnChoices = [
  { value: 'all', words: 'all' },
  { value: 'dear', words: 'dear' },
  { value: 'failed', words: 'failed' },
  { value: 'misses', words: 'cache misses' },
] as const;

/** What the table of turns shows: a choice, or a stretch of a long session. */
export function turnsAsk(place: Place) {
  const { id, parameters } = place;
  const only = turnChoices.find(({ value }) => value !== 'all' && value === parameters.turns);
  return ask('/v1/sessions/{id}/timeline', {
    id: id ?? '',
    points: pointsMax,
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

export const sessionsAsks: AsksOfView = (place): readonly Ask<unknown>[] =>
  place.id === null
    ? []
    : [detailsAsk(place), seriesAsk(place), timelineAsk(place), contextAsk(place)];
