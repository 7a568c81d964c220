import { expect, it } from 'vitest';
import {
  commandOf,
  withoutLabelsOrZone,
  withoutZone,
} from '../../../dashboards/web/format/command.ts';
import { periodOf } from '../../../dashboards/web/state/period.ts';

const period = periodOf('7d', '2026-11-22');

it('prints the same numbers: period, filters, labels and time zone', () => {
  const parameters = { project: 'shop', 'label:ticket': 'A-1', tz: 'Europe/Berlin', by: 'user' };
  const place = { view: 'overview', id: null, parameters } as const;
  expect(commandOf('pi-ledger report --by project', place, period)).toBe(
    'pi-ledger report --by project --since 2026-11-16 --until 2026-11-22 --project shop ' +
      '--label ticket=A-1 --timezone Europe/Berlin',
  );
});

it('has the day that has begun elsewhere, or no end', () => {
  const place = { view: 'overview', id: null, parameters: {} } as const;
  expect(commandOf('x', place, periodOf('today', '2026-11-22', '2026-11-23'))).toBe(
    'x --since 2026-11-22 --until 2026-11-23',
  );
  expect(commandOf('x', place, { since: '2026-11-22' })).toBe('x --since 2026-11-22');
});

it('leaves out what a command does not have', () => {
  const parameters = { user: 'ada', 'label:ticket': 'A-1', tz: 'Europe/Berlin' };
  const place = { view: 'sessions', id: null, parameters } as const;
  const days = '--since 2026-11-16 --until 2026-11-22 --user ada';
  expect(commandOf('pi-ledger insights', place, period, withoutZone)).toBe(
    `pi-ledger insights ${days} --label ticket=A-1`,
  );
  expect(commandOf('pi-ledger models', place, period, withoutLabelsOrZone)).toBe(
    `pi-ledger models ${days}`,
  );
});

it.each([
  ['my shop', "'my shop'"],
  ["it's; rm -rf ~ $(x)", "'it'\\''s; rm -rf ~ $(x)'"],
  ['', "''"],
  // A terminal would take these for keys: the end of what is pasted, Ctrl-C, Enter.
  ["\u001b[201~\u0003it's\r", String.raw`$'\u001b[201~\u0003it\'s\u000d'`],
])('makes one word of a name for a shell: %s', (project, word) => {
  const place = { view: 'overview', id: null, parameters: { project } } as const;
  expect(commandOf('x', place, period)).toBe(
    `x --since 2026-11-16 --until 2026-11-22 --project ${word}`,
  );
});
