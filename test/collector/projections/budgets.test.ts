import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { type BudgetDocument, budgets } from '../../../collector/projections/budgets.ts';
import { budgetExample } from '../../../contract/budget.ts';
import { fold } from './support/fold.ts';
import { event, turn } from './support/given.ts';

const [early, at, late] = [8, 9, 10].map(
  (hour) => `2026-11-22T${String(hour).padStart(2, '0')}:00:00.000Z`,
) as [string, string, string];
const version = '3f9a1c0b7d2e4856';
const endOfMonth = '2026-11-30T23:00:00.000Z';

type Defined = LedgerEvent<'pi.budget.defined.v1'>['data'];
type Crossed = LedgerEvent<'pi.budget.crossed.v1'>['data'];

const defined = (data: Partial<Defined> = {}, when = at) =>
  event('pi.budget.defined.v1', { at: when, session: '/budgets/shop' }, data);
const removed = (revision: number, when = at) =>
  defined({ revision, version: null, definition: null }, when);
const crossed = (data: Partial<Crossed> = {}, when = at) =>
  event('pi.budget.crossed.v1', { at: when, session: '/budgets/shop' }, data);

function only(given: readonly LedgerEvent[]): BudgetDocument {
  const states = [...fold(budgets, given).states.values()];
  expect(states).toHaveLength(1);
  return states[0] as BudgetDocument;
}

function columns(...given: readonly LedgerEvent[]) {
  return budgets.columnsOf(only(given));
}

describe('the definitions of a budget', () => {
  it('stand in one document, with when each was said', () => {
    expect(only([defined(), removed(2, late)])).toEqual({
      is: 'definitions',
      budget: 'shop',
      definitions: [
        { budget: 'shop', revision: 1, version, definition: budgetExample, at },
        { budget: 'shop', revision: 2, version: null, definition: null, at: late },
      ],
      crossing: null,
    });
    expect(fold(budgets, [defined(), defined({ budget: 'docs' })]).states.size).toBe(2);
  });

  it('are in the order of their revisions, whatever came first', () => {
    const given = [defined(), removed(2, early), defined({ revision: 3 }, late)];
    const sorted = only(given);
    expect(sorted.definitions.map(({ revision }) => revision)).toEqual([1, 2, 3]);
    expect(only(given.toReversed())).toEqual(sorted);
  });

  it('are the same in any order where a damaged ledger has a revision twice', () => {
    const given = [defined({}, late), defined({}, early), defined({}, at)];
    const sorted = only(given);
    expect(sorted.definitions.map((said) => said.at)).toEqual([early, at, late]);
    expect(only(given.toReversed())).toEqual(sorted);
  });

  it('are found by whose budget it is, also after it was removed', () => {
    const definition = { ...budgetExample, project: 'shop', user: 'ada' };
    const found = { is: 'definitions', budget: 'shop', project: 'shop', user: 'ada' };
    expect(columns(defined({ definition }))).toEqual({
      ...found,
      version: '',
      periodEnd: '',
      at,
    });
    expect(columns(defined({ definition }), removed(2, late))).toMatchObject({
      ...found,
      at: late,
    });
  });

  it('are of anybody where the last one says so, or none is known', () => {
    const anybody = { ...budgetExample, project: null };
    const given = [defined(), defined({ revision: 2, definition: anybody })];
    expect(columns(...given)).toMatchObject({ project: '', user: '' });
    expect(columns(removed(2))).toMatchObject({ project: '', user: '', at });
  });

  it('are no more than 200: the latest', () => {
    const given = Array.from({ length: 201 }, (_, index) => defined({ revision: index + 1 }));
    const revisions = only(given).definitions.map(({ revision }) => revision);
    expect(revisions).toHaveLength(200);
    expect([revisions[0], revisions.at(-1)]).toEqual([2, 201]);
  });
});

describe('a crossing of a budget', () => {
  it('has a document of its own, by budget, version, period and number', () => {
    const given = [
      defined(),
      crossed(),
      crossed({ budget: 'docs' }),
      crossed({ version: '0000000000000000' }),
      crossed({ period: { start: endOfMonth, end: '2026-12-31T23:00:00.000Z' } }),
      crossed({ number: 2 }),
    ];
    expect(fold(budgets, given).states.size).toBe(6);
    expect(fold(budgets, [...given, ...given]).states.size).toBe(6);
  });

  it('is kept as it was said', () => {
    const given = crossed({ user: 'ada' });
    expect(only([given])).toEqual({
      is: 'crossing',
      budget: 'shop',
      definitions: [],
      crossing: { ...given.data, at },
    });
    expect(columns(given)).toEqual({
      is: 'crossing',
      budget: 'shop',
      project: 'shop',
      user: 'ada',
      version,
      periodEnd: endOfMonth,
      at,
    });
    expect(columns(crossed({ project: null }))).toMatchObject({ project: '', user: '' });
  });

  it('is the same in any order where a damaged ledger has it twice', () => {
    const given = [crossed({ used: '1' }), crossed({ used: '2' }), crossed({ used: '3' })];
    const [first, second, third] = given as [LedgerEvent, LedgerEvent, LedgerEvent];
    const kept = only(given);
    expect(kept.crossing).toMatchObject({ used: '1' });
    expect(only([third, second, first])).toEqual(kept);
    expect(only([second, third, first])).toEqual(kept);
  });

  it('is found under a name that is no well-formed text', () => {
    const [key] = fold(budgets, [crossed({ budget: 'shop \ud800' })]).states.keys();
    expect(key?.isWellFormed()).toBe(true);
  });
});

describe('documents of budgets', () => {
  it('are of no other events, and count nothing', () => {
    expect(fold(budgets, [turn(at)]).states.size).toBe(0);
    expect(fold(budgets, [defined(), crossed()]).emitted).toEqual([]);
  });

  it('are the same through their text, and sealed', () => {
    const given = [defined(), crossed(), removed(2)];
    const reloaded = fold(budgets, given, { isReloaded: true });
    expect(reloaded.documents()).toEqual(fold(budgets, given).documents());
    const document = only([defined()]);
    expect(budgets.sealing?.open(budgets.encode(document), 1)).toEqual(document);
    expect(budgets.sealing?.open(budgets.encode(document), 2)).toBeNull();
  });
});
