import { expect, test } from 'vitest';
import { placeOf, urlOf } from '../../../dashboards/web/state/place.ts';

const hostile = [
  '<img src=x onerror=alert(1)>',
  '\u202Egnp.exe',
  'n'.repeat(300),
  'a/b',
  '/',
  '..',
  '.',
  '%2F',
  '%',
  '~',
  '~a',
  '?range=7d#x',
  'é ü 漢字 +&=',
];

test.each(hostile)('a project named %j has a URL that leads to it alone', (name) => {
  const url = urlOf({ view: 'projects', id: name, parameters: { range: '7d' } });
  expect(new URL(url, 'http://page').pathname.split('/')).toHaveLength(3);
  expect(placeOf(url)).toEqual({ view: 'projects', id: name, parameters: { range: '7d' } });
});

test('what has no name has a URL that no name has', () => {
  const unknown = urlOf({ view: 'projects', id: '', parameters: {} });
  expect(unknown).toBe('/projects/~');
  expect(placeOf(unknown)?.id).toBe('');
  const urls = hostile.map((id) => urlOf({ view: 'projects', id, parameters: {} }));
  expect(new Set([...urls, unknown]).size).toBe(hostile.length + 1);
});

test('a list has no id, and half a character is not one either', () => {
  expect(placeOf('/projects')?.id).toBeNull();
  expect(placeOf('/projects/')?.id).toBeNull();
  expect(placeOf('/projects/%E0%A4%A')).toBeNull();
  expect(placeOf(urlOf({ view: 'projects', id: 'a\uD800', parameters: {} }))?.id).toBe('a\uFFFD');
});

test.each([
  ['/projects/~-a~2Fb~3Fc~23', 'a/b?c#'],
  ['/projects/~-~2E~2E', '..'],
  ['/projects/~-~25~7E', '%~'],
  ['/projects/~-', ''],
])('%s, as Grafana links to it, is of %j', (url, id) => {
  expect(placeOf(url)?.id).toBe(id);
});

test('an escape that is none leads nowhere; `~-` begins a name as any other', () => {
  expect(placeOf('/projects/~-a~2')).toBeNull();
  const name = { view: 'projects', id: '~-a~2Fb', parameters: {} } as const;
  expect(placeOf(urlOf(name))).toEqual(name);
});
