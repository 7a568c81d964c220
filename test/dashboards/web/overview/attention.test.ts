import type { Insight } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { groupsOf, linkOf } from '../../../../dashboards/web/views/overview/attention.ts';

function insight(fields: Partial<Insight>): Insight {
  return {
    id: '7c1e04b2',
    kind: 'spends-more',
    billing: 'metered',
    nanoUsd: '1',
    bound: 'exact',
    isChange: true,
    title: 'shop spends more',
    reason: null,
    command: 'pi-ledger report',
    rows: [],
    rowsInAll: 0,
    hidden: false,
    ...fields,
  };
}

describe('what needs attention', () => {
  it('stands by billing, in no order across them; what is not known comes last', () => {
    const rows = [
      insight({ id: 'a', nanoUsd: null }),
      insight({ id: 'b', billing: 'subscription', nanoUsd: '900' }),
      insight({ id: 'c', nanoUsd: '5' }),
      insight({ id: 'd', nanoUsd: '3' }),
    ];
    const groups = groupsOf(rows).map((group) => [group.billing, group.rows.map(({ id }) => id)]);
    expect(groups).toEqual([
      ['metered', ['c', 'd']],
      ['subscription', ['b']],
      [null, ['a']],
    ]);
  });

  it('links to the one row behind it, or to exactly those that were counted', () => {
    const row = { is: 'session', id: '01a2', nanoUsd: '1', text: '' } as const;
    const one = linkOf(insight({ rows: [row], rowsInAll: 1 }));
    expect(one).toMatchObject({ view: 'sessions', id: '01a2', words: 'Session' });
    const many = linkOf(insight({ rows: [row], rowsInAll: 72 }));
    expect(many).toMatchObject({ view: 'insights', id: '7c1e04b2', words: '72 sessions' });
    const compaction = linkOf(insight({ rows: [{ ...row, is: 'compaction' }], rowsInAll: 1 }));
    expect(compaction).toMatchObject({ view: 'compactions', parameters: { show: '01a2' } });
  });

  it('has an address for rows that no view has, and none without rows', () => {
    const row = { is: 'branch', id: 'main', nanoUsd: '1', text: '' } as const;
    const branch = linkOf(insight({ rows: [row], rowsInAll: 1 }));
    expect(branch).toMatchObject({ view: 'insights', id: '7c1e04b2', words: 'Branch' });
    expect(linkOf(insight({}))).toBeNull();
  });
});
