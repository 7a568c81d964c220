/** What the overview asks. */
import { type Ask, ask } from '../../api/ask.ts';
import type { Place } from '../../state/place.ts';
import { between, filtersIn, periodIn } from '../../state/scope.ts';
import type { AsksOfView, Today } from '../view.ts';

export function projectsAsk(place: Place, today: Today) {
  const period = between(periodIn(place, today.day));
  return ask('/v1/usage', { by: 'project', ...period, ...filtersIn(place) });
}

export const overviewAsks: AsksOfView = (place, today): readonly Ask<unknown>[] => [
  projectsAsk(place, today),
];
