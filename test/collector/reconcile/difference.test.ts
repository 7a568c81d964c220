import { describe, expect, it } from 'vitest';
import { aboutUnit, difference } from '../../../collector/reconcile/difference.ts';
import { timeInId } from '../../../collector/reconcile/id-time.ts';
import { reasons } from '../../../collector/reconcile/reasons.ts';
import { aClaim, aUnit } from './support/units.ts';

/**
 * The explained reasons, with which reconcile exits with 0. Add one here only if no total is wrong.
 */
const harmless = [
  'copied',
  'owner_assumed',
  'live_only_session',
  'file_gone',
  'subagent_claim',
  'unreadable_line',
  'ignored_project',
  'sealed',
  'private',
  'private_parent_gone',
  'other_agent',
  'withdrawn',
  'unknown_place',
  'session_not_saved',
  'package_requests',
  'lower_bound',
  'summary_cost_unknown',
  'file_changing',
];

describe('a difference', () => {
  it.each(Object.keys(reasons) as (keyof typeof reasons)[])(
    'by %s is explained or a fault, with a sentence',
    (reason) => {
      expect(difference(reason, 3, { file: '/s' })).toEqual({
        reason,
        explained: harmless.includes(reason),
        count: 3,
        file: '/s',
      });
      expect(reasons[reason].sentence).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('names the record that it is about', () => {
    expect(aboutUnit(aUnit())).toEqual({
      kind: 'turn',
      entryId: 'e1',
      at: '2026-03-01T09:00:00.000Z',
    });
    expect(aboutUnit(aClaim())).toMatchObject({ kind: 'claim agent:A' });
  });
});

it.each([
  ['019ca8a1-2b00-8000-8000-000000000000', 0x019ca8a12b00],
  ['no id', Number.NaN],
  [undefined, Number.NaN],
])('the time in the id %s is %d', (id, timeMs) => expect(timeInId(id)).toBe(timeMs));
