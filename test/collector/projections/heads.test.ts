import type { EventData } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeads, findSuccessor, heads } from '../../../collector/projections/heads.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { fold } from './support/fold.ts';
import { event } from './support/given.ts';

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
const project = { name: 'shop', remote: 'https://git.example/shop.git', branch: 'main' };

const seen = (
  minute: number,
  commit: string | null = null,
  more: Partial<EventData<'pi.head.observed.v1'>> = {},
) =>
  event(
    'pi.head.observed.v1',
    { at: `2026-11-22T10:${String(minute).padStart(2, '0')}:00.000Z` },
    { project, cwd: '/srv/shop', machine: 'workbench', commit, afterTurn: false, ...more },
  );

function only(...given: readonly ReturnType<typeof seen>[]) {
  const [state] = fold(heads, given).states.values();
  if (state === undefined) throw new Error('nothing seen');
  return state;
}

describe('the commits seen on a branch', () => {
  it('follow one another', () => {
    const state = only(seen(1), seen(2, a), seen(3, b));
    expect(['none', a, b].map((commit) => findSuccessor(state, commit ?? ''))).toEqual([
      a,
      b,
      null,
    ]);
    expect(findSuccessor(state, 'f'.repeat(40))).toBeUndefined();
  });

  it('are followed by what came after their last sighting, as after a reset', () => {
    const state = only(seen(1, a), seen(2, b), seen(3, a), seen(4, c), seen(5, c));
    expect([a, b, c].map((commit) => findSuccessor(state, commit ?? ''))).toEqual([c, a, null]);
  });

  it('are kept by machine, project and branch', () => {
    const others = [
      { machine: 'laptop' },
      { project: { ...project, branch: 'side' } },
      { project: { ...project, branch: null } },
      { project: { ...project, remote: null } },
    ];
    const given = [seen(1, a), ...others.map((more) => seen(2, b, more))];
    expect(fold(heads, given).states.size).toBe(5);
    const renamed = seen(3, c, { project: { ...project, name: 'shop-2' }, cwd: '/tmp/shop-2' });
    expect(fold(heads, [...given, renamed]).states.size).toBe(5);
  });

  it('are found under the name that the rules give their project', () => {
    const ruled = createHeads({ ...noRules, projects: [{ match: '/srv/**', as: 'store' }] });
    const [state] = fold(ruled, [seen(1, a)]).states.values();
    expect(state && ruled.columnsOf(state)).toEqual({
      project: 'store',
      branch: 'main',
      machine: 'workbench',
    });
    expect(ruled.settings).not.toBe(heads.settings);
  });

  it('are the same in any order', () => {
    const any = fc.array(
      fc
        .tuple(fc.nat(5), fc.constantFrom(a, b, c, null), fc.constantFrom('/one', '/two'))
        .map(([minute, commit, cwd]) => seen(minute, commit ?? null, { cwd })),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(
        any.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
          ),
        ),
        ([one, other]) => {
          const shuffled = fold(heads, other, { isReloaded: true }).documents();
          expect(shuffled).toEqual(fold(heads, one).documents());
        },
      ),
    );
  });

  it('are the newest 5,000, also of two cells together', () => {
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => {
        const time = new Date(Date.parse('2026-11-22T10:00:00Z') + (from + index) * 1_000);
        return { ...seen(0, a), time: time.toISOString() };
      });
    const state = only(...many(0, 5_001));
    expect([state.sightings.length, state.sightings[0]?.[0]]).toEqual([
      5_000,
      '2026-11-22T10:00:01.000Z',
    ]);
    const columns = { project: '', branch: '', machine: '' };
    const other = { state: only(...many(5_001, 2)), columns };
    const joined = heads.joining?.join({ state, columns }, other).state;
    expect([joined?.sightings.length, joined?.sightings[0]?.[0]]).toEqual([
      5_000,
      '2026-11-22T10:00:03.000Z',
    ]);
  });

  it('of two cells are one list, each sighting once', () => {
    const made = createHeads(noRules);
    const part = (...given: readonly ReturnType<typeof seen>[]) => {
      const [state] = fold(made, given, { isReloaded: true }).states.values();
      if (state === undefined) throw new Error('nothing seen');
      return { state, columns: made.columnsOf(state) };
    };
    const [left, right] = [part(seen(1, a), seen(3, b)), part(seen(1, a), seen(4, c))];
    const joined = made.joining?.join(left, right).state;
    expect(joined?.sightings.map(([, commit]) => commit)).toEqual([a, b, c]);
    expect(made.joining?.join(right, left).state).toEqual(joined);
    expect(made.joining?.isOnePart).toBe(true);
    const other = event('pi.prompt.submitted.v1', { at: '2026-11-22T10:00:00.000Z' });
    expect(made.key({ position: 1, receivedAtMs: 0, event: other })).toBeNull();
    expect(made.initial('k')).toMatchObject({ sightings: [] });
  });
});
