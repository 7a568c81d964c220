import { expect, it } from 'vitest';
import type { LedgerClient } from '../../../../collector/cli/client/ledger-client.ts';
import { checkNotices } from '../../../../collector/cli/doctor/notices.ts';

/** Newest first. */
function found(...rows: readonly (readonly [to: string, status: string])[]) {
  const answer = { rows: rows.map(([to, status]) => ({ to, status, attempts: 1, detail: null })) };
  return checkNotices({ get: async () => answer } as unknown as LedgerClient);
}

it.each([
  [
    'good',
    [
      ['a', 'delivered'],
      ['b', 'delivered'],
    ],
  ],
  [
    'note',
    [
      ['a', 'delivered'],
      ['b', 'delivered'],
      ['a', 'given up'],
    ],
  ],
  [
    'bad',
    [
      ['a', 'refused'],
      ['a', 'delivered'],
    ],
  ],
  [
    'bad',
    [
      ['a', 'delivered'],
      ['b', 'waiting'],
      ['a', 'delivered'],
    ],
  ],
  [
    'bad',
    [
      ['@example.com', 'delivered'],
      ['@example.com', 'waiting'],
    ],
  ],
] as const)('is %s by the newest notice of each place: %j', async (state, rows) => {
  expect(await found(...rows)).toMatchObject([{ check: 'notices', state }]);
});

it('says nothing where none was sent', async () => {
  expect(await found()).toEqual([]);
});
