import type { QuotaHistory } from '@pi-ledger/contract/answers';
import { expect, it } from 'vitest';
import { printQuotaHistory } from '../../../../collector/answers/quota/print-history.ts';
import type { Terminal } from '../../../../collector/cli/command.ts';

function printed(answer: Partial<QuotaHistory>): string {
  const lines: string[] = [];
  const terminal = {
    columns: null,
    print: (text: string) => lines.push(text),
    now: () => new Date('2026-11-22T12:00:00.000Z'),
    env: {},
  } as unknown as Terminal;
  const none = { since: '2026-11-20', until: '2026-11-20', readAt: null, rows: [] };
  printQuotaHistory({ ...none, isPartial: false, ...answer }, terminal, { warnings: [] });
  return lines.join('\n');
}

it('says that sessions were left out where nothing is shown, too', () => {
  expect(printed({})).not.toContain('20,000');
  const text = printed({ isPartial: true });
  expect(text).toContain("what was used of plans' windows, 20 Nov 2026, days in UTC");
  expect(text).toContain('only the latest 20,000 sessions that were told of windows are in it');
});

it('says as of when it is', () => {
  expect(printed({ readAt: '2026-11-22T11:59:00.000Z' })).toMatch(/as of 2026-11-22 \d\d:59: /);
});
