/** For the collector: what the view at `url` asks first, so that the answers stand in the page. */
import { frameAsks } from './app/asks.ts';
import { placeOf } from './state/place.ts';
import { todayIn } from './state/today.ts';
import { asksOfViews } from './views/asks.ts';

/**
 * `now`: in ms since 1970. `timeZone`: of days, where the URL names none. Empty for a URL of no
 * view.
 */
export function asksOf(url: string, now: number, timeZone: string): readonly string[] {
  const place = placeOf(url);
  if (place === null) return [];
  const today = todayIn(now, place.parameters.tz, timeZone);
  const asks = [...frameAsks, ...asksOfViews[place.view](place, today)];
  return asks.map((each) => each.url);
}
