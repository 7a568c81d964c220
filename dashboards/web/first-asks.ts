/** For the collector: what the view at `url` asks first, so that the answers stand in the page. */
import { frameAsks } from './app/asks.ts';
import { placeOf } from './state/place.ts';
import { asksOfViews } from './views/asks.ts';

/** `today`: a day such as `2026-11-22`. Empty for a URL of no view. */
export function asksOf(url: string, today: string): readonly string[] {
  const place = placeOf(url);
  if (place === null) return [];
  const asks = [...frameAsks, ...asksOfViews[place.view](place, { day: today })];
  return asks.map((each) => each.url);
}
