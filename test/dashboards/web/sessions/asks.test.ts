/** What the list of sessions and a session ask of the API. */
import { expect, test } from 'vitest';
import { placeOf } from '../../../../dashboards/web/state/place.ts';
import {
  listAsk,
  listContextAsk,
  sessionsAsks,
  turnsAsk,
} from '../../../../dashboards/web/views/sessions/asks.ts';

const today = { day: '2026-11-22' };

function at(url: string) {
  const place = placeOf(url);
  if (place === null) throw new Error(`no place: ${url}`);
  return place;
}

test('the list is sorted by the API, within the scope; the first page counts', () => {
  const place = at('/sessions?project=a%20b&range=7d&sort=sessions:subscription:down&label:t=1');
  const scope =
    'since=2026-11-16&until=2026-11-22&project=a+b&label=t%3D1&sort=subscription&limit=50';
  expect(listAsk(place, today).url).toBe(`/v1/sessions?${scope}&total=include`);
  expect(listAsk(place, today, 'next').url).toBe(`/v1/sessions?${scope}&cursor=next`);
  expect(listContextAsk(place, today).url).toBe(`/v1/sessions?${scope}&context=include`);
});

test('a sort of another table, or by what the API does not know, is none', () => {
  for (const sort of ['projects:metered:down', 'sessions:turns:up', 'sessions'])
    expect(listAsk(at(`/sessions?sort=${sort}`), today).url).not.toContain('sort=');
});

test('a session asks once for all that its first sight needs', () => {
  const place = at('/sessions/019a?turn=3&along=time');
  expect(sessionsAsks(place, today).map(({ url }) => url.split('?')[0])).toEqual([
    '/v1/sessions/019a',
    '/v1/context/019a/series',
    '/v1/sessions/019a/timeline',
    '/v1/context/019a',
  ]);
  // The table shows what the charts do, unless something is chosen: one question for both.
  expect(sessionsAsks(place, today).map(({ url }) => url)).toContain(turnsAsk(place).url);
  const dear = turnsAsk(at('/sessions/019a?turns=costliest&from=2026-11-22T09:00:00.000Z')).url;
  expect(dear).toBe(
    '/v1/sessions/019a/timeline?points=1000&only=costliest&from=2026-11-22T09%3A00%3A00.000Z',
  );
  expect(turnsAsk(at('/sessions/019a?turns=unheard')).url).toBe(turnsAsk(place).url);
});
