import { describe, expect, it } from 'vitest';
import { placeOf, scopeOf, urlOf, withParameters } from '../../../../dashboards/web/state/place.ts';

describe('a place', () => {
  it.each([
    ['/', 'overview', null, {}],
    ['/projects?range=7d', 'projects', null, { range: '7d' }],
    ['/projects/a%2Fb%20c', 'projects', 'a/b c', {}],
    ['/sessions/01a2?turn=61', 'sessions', '01a2', { turn: '61' }],
  ])('%s is in %s', (url, view, id, parameters) => {
    const place = placeOf(url);
    expect(place).toEqual({ view, id, parameters });
    expect(place === null ? null : placeOf(urlOf(place))).toEqual(place);
  });

  it.each(['/nowhere', '/overview', '/v1/usage', '/projects/%E0%A4%A'])('%s is none', (url) => {
    expect(placeOf(url)).toBeNull();
  });

  it('keeps its scope on the way to another view, and nothing else', () => {
    const place = placeOf('/?range=7d&user=ada&label:ticket=A-1&sort=x:y:up&by=model');
    expect(place === null ? null : scopeOf(place)).toEqual({
      range: '7d',
      user: 'ada',
      'label:ticket': 'A-1',
    });
  });

  it('loses a parameter that is set to null', () => {
    const place = { view: 'overview', id: null, parameters: { user: 'ada', by: 'kind' } } as const;
    expect(urlOf(withParameters(place, { user: null, range: 'today' }))).toBe(
      '/?by=kind&range=today',
    );
  });
});
