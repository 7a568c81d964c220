/** Whose spend and which days a view shows, in a line. */
import { formatDay } from '../format/time.ts';
import type { Place } from '../state/place.ts';
import { filtersIn, periodIn } from '../state/scope.ts';
import type { Today } from '../views/view.ts';
import { visible } from './name.tsx';

/** `demo-shop; 28 Oct 2026 to 26 Nov 2026; user ada`: for who sees a part of the page alone. */
export function scopeWords(place: Place, today: Today): string {
  const { since, until } = periodIn(place, today);
  const { label = [], timezone, ...filters } = filtersIn(place);
  const named = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  return [
    ...(place.id === null || place.id === '' ? [] : [place.id]),
    `${formatDay(since, '')} to ${formatDay(until, '')}`,
    ...named,
    ...[label].flat(),
    ...(timezone === undefined ? [] : [`days of ${timezone}`]),
  ]
    .map((word) => visible(String(word)))
    .join('; ');
}
