import { describe, expect, it } from 'vitest';
import {
  createLabelling,
  type LabelRule,
  listGroupNames,
} from '../../../collector/projections/label-rules.ts';

const facts = { project: 'shop-web', user: 'ada', branch: 'feature/ABC-12-retry' };
const labelled = (rules: readonly LabelRule[], more: Partial<typeof facts> = {}) =>
  Object.fromEntries(createLabelling(rules)({ ...facts, ...more }));

describe('rules for labels', () => {
  it('label what fits all that they name', () => {
    const rule: LabelRule = {
      project: 'shop*',
      user: 'ada',
      branch: '(?<ticket>[A-Z]+-[0-9]+)',
      set: { team: 'checkout' },
    };
    expect(labelled([rule])).toEqual({ ticket: 'ABC-12', team: 'checkout' });
    expect(labelled([rule], { project: 'till' })).toEqual({});
    expect(labelled([rule], { user: 'bob' })).toEqual({});
    expect(labelled([rule], { branch: 'main' })).toEqual({});
    expect(labelled([{ set: { team: 'all' } }], { branch: '' })).toEqual({ team: 'all' });
  });

  it('give each key once: the first rule wins, and in one rule what its branch says', () => {
    const rules: LabelRule[] = [
      { branch: '^(?<kind>feature|fix)/', set: { kind: 'other', team: 'a' } },
      { set: { team: 'b', floor: '2' } },
    ];
    expect(labelled(rules)).toEqual({ kind: 'feature', team: 'a', floor: '2' });
    expect(labelled(rules, { branch: 'main' })).toEqual({ team: 'b', floor: '2' });
  });

  it('leave out a group that found nothing, or what no label can hold', () => {
    const rule: LabelRule = { branch: '^(?<a>x*)(?<b>y)?(?<c>.*)$' };
    expect(labelled([rule], { branch: `z${'z'.repeat(200)}` })).toEqual({});
    expect(labelled([rule], { branch: 'xyz\u0007' })).toEqual({ a: 'x', b: 'y' });
  });

  it('name the labels that a pattern sets', () => {
    expect(listGroupNames('^(?<ticket>[A-Z]+)-(?<part>x|y)?').toSorted()).toEqual([
      'part',
      'ticket',
    ]);
  });

  it('take no time over a branch that would hang another engine', () => {
    const branch = `${'a'.repeat(499)}!`;
    expect(labelled([{ branch: '^(?<ticket>(a+)+)$' }], { branch })).toEqual({});
  });
});
