/** Texts that break programs, and texts that bring a request further than random ones would. */
import { groupings } from '@pi-ledger/contract/groupings';
import { hostileEvents } from '../../../test/collector/support/hostile.ts';

const lone = '\ud800';

export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  lone,
  '\u202e\u2028\ufeff',
  '\r\nX-Injected: yes',
  '..',
  '../../../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '%',
  '%zz',
  '%00',
  '%2e%2e%2f',
  '%c0%ae%c0%ae/',
  '%ed%a0%80',
  "' OR 1=1 --",
  '"; DROP TABLE events; --',
  "x' UNION SELECT hash FROM tokens --",
  '[$ne]',
  '{"$gt":""}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  '(a+)+$',
  '*',
  '-1',
  '0',
  '1.5',
  '0x10',
  '1e308',
  '9007199254740993',
  '999999999999999',
  '9'.repeat(400),
  'NaN',
  'Infinity',
  'null',
  'true',
  '[]',
  '{}',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20',
  '2026-11-16T24:00:00Z',
  '2026-11-16T10:00:00+99:99',
  'a,b,c,d,e,f,g,h',
  ','.repeat(150),
  'label:',
  'label:__proto__',
  '=',
  'a=b=c',
  'x'.repeat(501),
  'y'.repeat(12_001),
  '\u{1f4a9}'.repeat(100),
];

const cursorOf = (json: string): string => Buffer.from(json).toString('base64url');
const hostileCursors = [
  '[]',
  '[null]',
  '[0]',
  '[1e400]',
  '[-1]',
  '[9007199254740991]',
  '[null,null]',
  '["",""]',
  '["2026-11-16T09:05:00.000Z","ada-shop"]',
  '["-1","x"]',
  '["99999999999999999999999999999999999999","x"]',
  '[0,null]',
  '["a","b","c"]',
  '[null,null,null]',
  '["__proto__",1]',
  '["x",{}]',
  '[[[[[]]]]]',
  '{"length":2}',
  `${'['.repeat(4_000)}`,
].map(cursorOf);

const days = ['2026-11-16', '2026-11-18', '2026-11-17T10:00:00Z', '2026-11-22'];
const ids = ['ada-shop', 'ada-child', 'ada-blog', 'bob-vault', 'hidden-parent', 'ada', 'last'];

/** One of each type, with hostile names: part of the ledger that is attacked. */
export const hostileWork = hostileEvents(5_000);
const compactions = hostileWork.flatMap(({ id, type }) => (/compact/.test(type) ? [id] : []));

/** By the name of a parameter or a field: what the route may understand. */
export const likelyTexts: Readonly<Record<string, readonly string[]>> = {
  ...{ by: [...groupings, 'user,day', 'project,model,month', 'label:ticket'] },
  ...{ since: days, until: days, from: days, to: days, day: days, before: days },
  ...{ id: [...ids, '0123abcd', ...compactions], session: ids, tree: ids, budget: ['monthly'] },
  ...{ timezone: ['Europe/Berlin', 'Asia/Kolkata', 'UTC', 'Pacific/Kiritimati'] },
  ...{ project: ['shop', 'bob-vault', 'blog-of-ada', ''], user: ['ada', 'bob', 'carol', ''] },
  ...{ kind: ['turn', 'tool', 'compaction'], label: ['ticket=ABC-12', 'ticket=', 'ticket'] },
  ...{ projection: ['sessions', 'producers', 'timings', 'budgets'], cursor: hostileCursors },
  ...{ nonce: ['A'.repeat(43)], tokenName: ['0'.repeat(32)] },
  ask: [
    ...['/v1/usage?by=model', '/v1/sessions?limit=1', '/v1/sessions/ada-shop', '/v1/health'],
    ...['/v1/quota', '/v1/tokens', '/v1/usage?by=%00', '/v1/nope', '/v1/live', '/v1/answers'],
    ...['//evil.example/v1/usage', '/v1/../metrics', '/v1/%6cog', '/v1/log/own', '/v1/usage#x'],
  ],
};
