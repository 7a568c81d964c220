import { describe, expect, it } from 'vitest';
import { attemptsIn, unwrittenWords } from '../../../../dashboards/web/format/unreported.ts';
import { usageRow } from '../support/usage-row.ts';

describe('what reported nothing', () => {
  const rows = [
    usageRow({ unreportedRecords: 5, packageRequests: 1, streamedAnswers: 2 }),
    usageRow({ unreportedRecords: 2, packageRequests: 1 }),
  ];

  it('are attempts, but for requests by packages and answers in event streams', () => {
    expect(attemptsIn(rows)).toBe(3);
    expect(attemptsIn([usageRow({})])).toBe(0);
  });

  it('is said by what it is, and nothing where there is nothing', () => {
    expect(unwrittenWords(rows)).toEqual([
      '2 requests by packages, cost unknown',
      '2 answers known only from event streams',
    ]);
    expect(unwrittenWords([usageRow({ packageRequests: 1 })])).toEqual([
      '1 request by packages, cost unknown',
    ]);
    expect(unwrittenWords([usageRow({ unreportedRecords: 3 })])).toEqual([]);
  });
});
