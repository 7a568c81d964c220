import { describe, expect, it } from 'vitest';
import { addCopy, type Copy } from '../../../../collector/projections/session/copies.ts';

const copy = (copySessionId: string, said: Partial<Copy> = {}): Copy => ({
  copySessionId,
  entries: 5,
  spendEntries: 2,
  ownerAssumed: false,
  ...said,
});

function keptOf(given: readonly Copy[], max = 9): Copy[] {
  const copies = new Map<string, Copy>();
  for (const each of given) addCopy(copies, each, max);
  return [...copies.values()];
}

describe('copies of a session that are reported twice', () => {
  it.each([
    ['the certain one', copy('s2', { ownerAssumed: false }), { ownerAssumed: true, entries: 9 }],
    ['the one with more entries', copy('s2', { entries: 6 }), { entries: 5, spendEntries: 9 }],
    ['the one with more that spent', copy('s2', { spendEntries: 3 }), { spendEntries: 2 }],
  ])('are one: %s', (_which, better, said) => {
    const worse = copy('s2', said);
    expect(keptOf([better, worse])).toEqual([better]);
    expect(keptOf([worse, better])).toEqual([better]);
  });
});

describe('copies of a session', () => {
  it('are as many as there is room for: the alphabetically first', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => copy(id)) as [Copy, Copy, Copy];
    expect(keptOf([c, a, b], 2)).toEqual([a, b]);
    expect(keptOf([a, b, c], 2)).toEqual([a, b]);
  });

  it('hold nothing of a report but what counts', () => {
    const more = { ...copy('s2'), more: 'text' };
    expect(keptOf([more])).toEqual([copy('s2')]);
  });
});
