import { describe, expect, it } from 'vitest';
import { placeOf } from '../../../../dashboards/web/state/place.ts';
import { beforeWords } from '../../../../dashboards/web/state/scope.ts';
import {
  beforeAsk,
  heatAsk,
  historyAsk,
  insightsAsk,
  overviewAsks,
  seriesAsk,
  sessionsAsk,
  tableAsk,
  totalsAsk,
  weekdayAsks,
} from '../../../../dashboards/web/views/overview/asks.ts';

const today = { day: '2026-11-22' };
const at = (url: string) => {
  const place = placeOf(url);
  if (place === null) throw new Error(url);
  return place;
};

describe('what the overview asks', () => {
  it('fits in one request with what the frame asks, each once, whatever is stacked', () => {
    for (const url of [
      '/',
      '/?by=agent',
      '/?by=kind',
      '/?by=user&range=90d',
      '/?range=year&by=kind',
    ]) {
      const urls = overviewAsks(at(url), today).map((ask) => ask.url);
      expect(new Set(urls).size).toBe(urls.length);
      expect(urls.length).toBeLessThanOrEqual(11);
    }
  });

  it('asks what stands out in the period, with an end where it is past, and in the scope', () => {
    const [current, past] = [at('/?range=7d'), at('/?range=2026-01-01..2026-01-07')];
    expect(insightsAsk(current, today).url).toBe('/v1/insights?since=2026-11-16&limit=10');
    expect(insightsAsk(past, today).url).toBe(
      '/v1/insights?since=2026-01-01&until=2026-01-07&limit=10',
    );
    const narrowed = at('/?range=7d&user=ada&label:ticket=A-1&tz=Europe/Berlin');
    expect(insightsAsk(narrowed, today).url).toBe(
      '/v1/insights?since=2026-11-16&user=ada&label=ticket%3DA-1&limit=10',
    );
  });

  it('has a first line that filters change, and the range does not', () => {
    const asked = historyAsk(at('/'), today).url;
    expect(historyAsk(at('/?range=7d'), today).url).toBe(asked);
    expect(historyAsk(at('/?project=shop'), today).url).not.toBe(asked);
    expect(asked).toBe('/v1/usage?by=day&since=2026-09-21&until=2026-11-22&limit=1000');
  });

  it('takes the bars of recent days from the history, with four weeks before the first', () => {
    expect(totalsAsk(at('/'), today)).toEqual(historyAsk(at('/'), today));
    const earlier = totalsAsk(at('/?range=2026-06-01..2026-06-30'), today).url;
    expect(earlier).toBe('/v1/usage?by=day&since=2026-05-04&until=2026-06-30&limit=1000');
  });

  it('asks for weeks where a thousand rows hold no five names of each day', () => {
    const { url } = seriesAsk(at('/?range=year'), today, 'project', ['a', null]);
    const asked = new URL(url, 'http://page').searchParams;
    expect(asked.get('by')).toBe('week,project');
    expect(asked.getAll('project')).toEqual(['a', '']);
    expect(totalsAsk(at('/?range=year'), today).url).toContain('by=week');
  });

  it('asks for the bars of five names, whatever their number', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
    const { url } = seriesAsk(at('/'), today, 'project', names);
    expect(new URL(url, 'http://page').searchParams.getAll('project')).toEqual(names.slice(0, 5));
  });

  it('asks for hours while a thousand rows hold them', () => {
    expect(heatAsk(at('/?range=30d'), today).url).toContain('by=hour');
    expect(heatAsk(at('/?range=90d'), today).url).toContain('by=day');
  });

  it('asks for such weekdays until the same hour of the clock, over the end of summer time', () => {
    const reached = { hour: 20, timeZone: 'Europe/Berlin' };
    const urls = weekdayAsks(at('/'), { ...today, reached }).map(({ url }) => url);
    const first = '/v1/usage?by=day&since=2026-11-15&until=2026-11-15T19%3A00%3A00.000Z&limit=1';
    expect(urls[0]).toBe(first);
    expect(urls).toHaveLength(8);
    expect(urls[7]).toContain('since=2026-09-27&until=2026-09-27T18');
  });

  it('compares a period with today in it until the same hour, others by whole days', () => {
    const now = { ...today, reached: { hour: 9, timeZone: 'UTC' } };
    const beforeOf = (range: string) => {
      const { searchParams } = new URL(beforeAsk(at(range), now, 'project').url, 'http://page');
      return [searchParams.get('since'), searchParams.get('until')];
    };
    expect(beforeOf('/?range=today')).toEqual(['2026-11-21', '2026-11-21T10:00:00.000Z']);
    expect(beforeOf('/?range=7d')).toEqual(['2026-11-09', '2026-11-15T10:00:00.000Z']);
    expect(beforeOf('/?range=2026-11-21..2026-11-24')[1]).toBe('2026-11-18T10:00:00.000Z');
    expect(beforeOf('/?range=2026-11-20..2026-11-21')).toEqual(['2026-11-18', '2026-11-19']);
    expect(beforeWords(at('/?range=today'), now)).toBe('the day before, until the same hour');
    expect(beforeWords(at('/?range=2026-11-20..2026-11-21'), now)).toBe('the 2 days before');
  });

  it('narrows everything by filters and labels', () => {
    const place = at('/?project=shop&label:ticket=A-1');
    expect(tableAsk(place, today, 'model').url).toContain('project=shop&label=ticket%3DA-1');
    expect(sessionsAsk(place, today).url).toContain('project=shop');
    expect(sessionsAsk(place, today).url).toContain('label=ticket%3DA-1');
    // Rows are of sessions that were active, which is another count than of those that spent.
    expect(sessionsAsk(place, today).url).toContain('total=include');
  });

  it('stacks by project where the URL says something else', () => {
    const urls = overviewAsks(at('/?by=nonsense'), today).map(({ url }) => url);
    expect(urls).toEqual(overviewAsks(at('/'), today).map(({ url }) => url));
  });
});
