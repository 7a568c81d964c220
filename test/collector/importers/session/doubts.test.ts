/** What is reported about an entry that may be missing from the totals. */
import { describe, expect, it } from 'vitest';
import { findDoubt, mayCount } from '../../../../collector/importers/session/doubts.ts';
import { type Entry, readEntry } from '../../../../core/record/entry.ts';
import { answer, usage, userSays } from '../../../extension/support/fake-session.ts';
import { claiming, draft, free, spending } from '../support/drafts.ts';

describe('an entry', () => {
  const entry = (body: object, timestamp = '2026-11-20T09:00:00.000Z') =>
    readEntry({ id: 'e', parentId: null, type: 'custom', timestamp, ...body }) as Entry;
  const elsewhere = { data: { usage: usage(1) } };

  it.each([
    ['an answer', answer('r'), true],
    ['an answer without usage', answer('r', { usage: undefined }), true],
    ['what a user said', userSays(), false],
    ['what has usage somewhere', elsewhere, true],
  ])(
    'without a time is not counted, and may hold spend where it is %s',
    (_what, body, mayHoldSpend) => {
      const message =
        'expected a time such as 2026-11-22T09:00:00.000Z, ' +
        'found 4 characters of something else: not counted';
      expect(findDoubt(entry(body, 'soon'), [])).toEqual({
        code: 'no_time',
        message,
        mayHoldSpend,
      });
    },
  );

  it('of which nothing comes is no matter where it has a time', () => {
    expect(findDoubt(entry(userSays()), [])).toBeNull();
  });

  it('of which something comes is no matter where it has usage in its place', () => {
    expect(findDoubt(entry(answer('r')), [spending])).toBeNull();
    expect(findDoubt(entry(elsewhere), [free, spending])).toBeNull();
    expect(findDoubt(entry(elsewhere), [claiming])).toBeNull();
    expect(findDoubt(entry({}), [free])).toBeNull();
  });

  it('has usage that nobody counts', () => {
    const message = 'unknown usage at /data/usage of an entry of type custom: not counted';
    for (const drafts of [[], [free]])
      expect(findDoubt(entry(elsewhere), drafts)).toEqual({
        code: 'usage_in_unknown_place',
        message,
        mayHoldSpend: false,
      });
  });

  it('may be in a total with its spend, and with what it claims', () => {
    expect([spending, claiming, free, draft('pi.prompt.submitted.v1')].map(mayCount)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
