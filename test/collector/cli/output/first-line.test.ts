import { expect, it } from 'vitest';
import { firstLine } from '../../../../collector/cli/output/first-line.ts';

const terminal = { now: () => new Date('2026-11-22T20:00:00Z') };

it.each([
  [{}, "all time, each in the spender's own day · all projects · by day"],
  [
    { since: '2026-10-23', timezone: 'UTC' },
    '23 Oct to 22 Nov, days in UTC · all projects · by day',
  ],
  [
    { since: '2025-10-23', until: '2026-01-02', timezone: 'UTC' },
    '23 Oct 2025 to 2 Jan, days in UTC · all projects · by day',
  ],
  [{ since: 'today', timezone: 'UTC' }, '22 Nov, days in UTC · all projects · by day'],
  [{ until: '7d', timezone: 'UTC' }, 'up to 15 Nov, days in UTC · all projects · by day'],
  [
    { since: '24h', timezone: 'UTC' },
    'Sat 21 Nov 20:00 to 22 Nov, days in UTC · all projects · by day',
  ],
  [
    { project: ['shop', 'lab'], model: ['demo-fast'] },
    "all time, each in the spender's own day · project shop, lab · model demo-fast · by day",
  ],
  [
    { agentKind: ['subagent'], costSource: ['host'], stopReason: ['error'] },
    "all time, each in the spender's own day · all projects · agent-kind subagent · " +
      'cost-source host · stop-reason error · by day',
  ],
  [
    { session: ['last'], trigger: ['manual', 'overflow'] },
    "all time, each in the spender's own day · all projects · session last · " +
      'trigger manual, overflow · by day',
  ],
])('of %j says: %s', (options, text) => {
  expect(firstLine(options, terminal, { what: 'by day' })).toBe(text);
});

it('names the collector if it is another than the own', () => {
  expect(firstLine({}, terminal, { source: 'https://ledger.example' })).toMatch(
    / · from https:\/\/ledger\.example$/,
  );
});
