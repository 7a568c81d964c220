import type { BudgetStateName } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameBudget } from '../../../../collector/answers/budgets/definition.ts';
import { stateOf } from '../../../../collector/answers/budgets/state.ts';
import {
  type NextCrossing,
  nextCrossing,
} from '../../../../collector/roles/budgets/next-crossing.ts';

const definition = nameBudget('b', {
  ...{ project: null, user: null, model: null, provider: null, label: null },
  ...{ per: 'month', unit: 'metered dollars', limit: '0.000001', warnAt: 80 },
  ...{ isHard: false, timeZone: 'UTC' },
}).definition;

/** A minute for each look. */
const minute = (index: number) => new Date(index * 60_000).toISOString();

/** What is said when a budget is looked at after each of these states. */
function follow(
  states: readonly BudgetStateName[],
  withdrawnAt: readonly string[] = [],
): NextCrossing[] {
  const said: (NextCrossing & { readonly at: string })[] = [];
  for (const [index, state] of states.entries()) {
    const before = withdrawnAt.filter((time) => time <= minute(index));
    const next = nextCrossing(said, state, false, before);
    if (next !== null) said.push({ ...next, at: minute(index) });
  }
  return said.map(({ at: _, ...next }) => next);
}

/** Those that a notice is due for, with the look that they come from. */
function notices(states: readonly BudgetStateName[], withdrawnAfter: readonly number[]): string[] {
  return follow(
    states,
    withdrawnAfter.map((index) => minute(index + 0.5)),
  ).flatMap(({ number, to, isFirst }) => (isFirst ? `${number} ${to}` : []));
}

const anyStates = fc.array(fc.constantFrom<BudgetStateName>('ok', 'warning', 'over'), {
  maxLength: 40,
});

describe('the state of a budget', () => {
  it.each([
    [0n, 'ok'],
    [799n, 'ok'],
    [800n, 'warning'],
    [999n, 'warning'],
    [1000n, 'over'],
    [5000n, 'over'],
  ])('with %s of 1,000 nano-dollars is %s', (used, state) => {
    expect(stateOf(definition, used)).toBe(state);
  });

  it('has no warning where it would begin with the limit', () => {
    expect(stateOf({ ...definition, warnAt: 100 }, 999n)).toBe('ok');
    expect(stateOf({ ...definition, warnAt: 100 }, 1000n)).toBe('over');
  });
});

describe('what is said of a budget in a period', () => {
  it('is each change, up and down, and one notice for each state', () => {
    const said = follow(['ok', 'warning', 'warning', 'over', 'warning', 'ok', 'over']);
    expect(said).toEqual([
      { number: 1, from: 'ok', to: 'warning', isFirst: true },
      { number: 2, from: 'warning', to: 'over', isFirst: true },
      { number: 3, from: 'over', to: 'warning', isFirst: false },
      { number: 4, from: 'warning', to: 'ok', isFirst: false },
      { number: 5, from: 'ok', to: 'over', isFirst: false },
    ]);
  });

  it('is a chain from ok to the last state, numbered without gaps, whatever happens', () => {
    fc.assert(
      fc.property(anyStates, (states) => {
        const said = follow(states);
        expect(said.map(({ number }) => number)).toEqual(said.map((_, index) => index + 1));
        expect(said.map(({ from }) => from)).toEqual(
          ['ok', ...said.map(({ to }) => to)].slice(0, said.length),
        );
        expect(said.at(-1)?.to ?? 'ok').toBe(states.at(-1) ?? 'ok');
        for (const state of ['warning', 'over'] as const) {
          const notices = said.filter(({ to, isFirst }) => to === state && isFirst);
          expect(notices).toHaveLength(states.includes(state) ? 1 : 0);
        }
        expect(said.some(({ to, isFirst }) => to === 'ok' && isFirst)).toBe(false);
      }),
    );
  });

  it('has one notice by forecast, before any other, which nothing takes back', () => {
    const at = minute(0);
    const likely = { number: 1, from: 'ok', to: 'forecast', isFirst: true } as const;
    const saidLikely = { ...likely, at };
    expect(nextCrossing([], 'ok', true)).toEqual(likely);
    expect(nextCrossing([saidLikely], 'ok', true)).toBeNull();
    expect(nextCrossing([saidLikely], 'ok')).toBeNull();
    const warned = { number: 2, from: 'forecast', to: 'warning', isFirst: true } as const;
    expect(nextCrossing([saidLikely], 'warning')).toEqual(warned);
    const saidBoth = [saidLikely, { ...warned, at }];
    const back = { number: 3, from: 'warning', to: 'ok', isFirst: false } as const;
    expect(nextCrossing(saidBoth, 'ok', true)).toEqual(back);
    expect(nextCrossing([...saidBoth, { ...back, at }], 'ok', true)).toBeNull();
    expect(nextCrossing([], 'over', true)).toMatchObject({ to: 'over' });
  });

  it('has a notice again of what a withdrawal took back', () => {
    expect(notices(['over', 'ok', 'over'], [])).toEqual(['1 over']);
    expect(notices(['over', 'ok', 'over'], [0])).toEqual(['1 over', '3 over']);
    // Before a view is folded anew, it still has what was withdrawn.
    expect(notices(['ok', 'over', 'ok', 'over'], [0])).toEqual(['1 over', '3 over']);
    expect(notices(['over', 'ok', 'ok', 'over'], [0, 2])).toEqual(['1 over', '3 over']);
    expect(notices(['over', 'ok', 'over', 'ok', 'over'], [0])).toEqual(['1 over', '3 over']);
    expect(notices(['warning', 'over', 'ok', 'warning', 'over'], [1])).toEqual([
      ...['1 warning', '2 over', '4 warning', '5 over'],
    ]);
    expect(notices(['over', 'over', 'over'], [0, 1])).toEqual(['1 over']);
  });

  it('ends at a thousand: a budget that never rests fills no ledger', () => {
    const states = Array.from(
      { length: 3_000 },
      (_, index): BudgetStateName => (index % 2 === 0 ? 'over' : 'ok'),
    );
    expect(follow(states)).toHaveLength(1_000);
  });
});
