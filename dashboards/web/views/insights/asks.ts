/** What one insight's rows ask. */
import { ask } from '../../api/ask.ts';
import type { Place } from '../../state/place.ts';
import { filtersIn } from '../../state/scope.ts';
import { insightsPeriod } from '../overview/asks.ts';
import type { AsksOfView, Today } from '../view.ts';

export function insightAsk(place: Place, today: Today) {
  const { timezone: _, ...filters } = filtersIn(place);
  return ask('/v1/insights', {
    ...insightsPeriod(place, today),
    ...filters,
    id: place.id ?? undefined,
  });
}

/** It may take long: the page asks for it itself. */
export const insightsAsks: AsksOfView = () => [];
