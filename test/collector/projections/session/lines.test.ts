/**
 * Sessions with more providers, models and kinds than a document has room for: the last of the
 * alphabet count as one.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { totals } from '../../../../collector/projections/totals.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, spendOf, turn } from '../support/given.ts';

const familiesMax = 150;
const at = '2026-11-22T10:00:00.000Z';
const later = '2026-11-22T10:01:00.000Z';
const model = (index: number) => `m${String(index).padStart(3, '0')}`;
const turns = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    turn(at, { model: model(index), costNanoUsd: 1 + index }),
  );

/** As a copy has it that lost its price. */
function copy(index: number, inputTokens: number, time = at): LedgerEvent {
  return {
    ...turn(time, { model: model(index), inputTokens, costNanoUsd: null, costSource: 'unpriced' }),
    ownership: 'named',
  };
}

/** Always the same order. */
function shuffled(given: readonly LedgerEvent[]): readonly LedgerEvent[] {
  return (
    fc.sample(
      fc.shuffledSubarray([...given], { minLength: given.length, maxLength: given.length }),
      { seed: 7, numRuns: 1 },
    )[0] ?? []
  );
}

/** In three orders, each from memory and reloaded on the way: the same rows and documents. */
function foldAnyway(given: readonly LedgerEvent[]) {
  const folded = fold(sessions, given);
  for (const events of [given, given.toReversed(), shuffled(given)]) {
    const other = fold(sessions, events, { isReloaded: (index) => index % 7 === 0 });
    expect(other.documents()).toEqual(folded.documents());
    expect(other.rows(usage, ...usage.dimensions)).toEqual(folded.rows(usage, ...usage.dimensions));
    expect(other.states.get('s1')?.spending.cells).toBe(folded.states.get('s1')?.spending.cells);
  }
  return folded;
}

describe('a session with many models', () => {
  it('keeps as many as there is room for, each by itself', () => {
    const folded = foldAnyway(turns(familiesMax));
    expect(Object.keys(folded.sums(usage, 'nanoUsd', 'model'))).toEqual(
      turns(familiesMax).map((_, index) => model(index)),
    );
  });

  it('keeps the first of the alphabet, and counts the others as one', () => {
    const folded = foldAnyway([
      ...turns(familiesMax + 5),
      turn(later, { model: model(familiesMax + 2), costNanoUsd: 1_000 }),
    ]);
    const { '(other)': others, ...kept } = folded.sums(usage, 'nanoUsd', 'model');
    expect(Object.keys(kept)).toEqual(turns(familiesMax).map((_, index) => model(index)));
    expect(others).toBe(151n + 152n + 153n + 154n + 155n + 1_000n);
    expect(Object.keys(folded.sums(usage, 'nanoUsd', 'provider', 'model', 'kind'))[0]).toBe(
      '(other),(other),(other)',
    );
    expect(folded.states.get('s1')?.spending).toMatchObject({ cells: familiesMax + 2 });
  });

  it('bounds the lines of the others too, whichever models make way', () => {
    const thinking = Array.from({ length: familiesMax + 40 }, (_, index) =>
      turn(at, { model: model(index) }, 's1', { thinkingLevel: `level ${index}` }),
    );
    const folded = foldAnyway(thinking);
    const levels = folded.sums(usage, 'records', 'model', 'thinking');
    const ofOthers = Object.keys(levels).filter((key) => key.startsWith('(other),'));
    expect(ofOthers).toHaveLength(25);
    expect(levels['(other),(other)']).toBe(40n - 24n);
  });

  it('keeps the first of the alphabet also where all names come before that of the others', () => {
    const given = Array.from({ length: familiesMax + 3 }, (_, index) =>
      turn(at, { provider: '!', model: model(index), costNanoUsd: 1 }),
    );
    const folded = foldAnyway([...given, ...given]);
    expect(folded.sums(usage, 'nanoUsd', 'model')).toMatchObject({
      '(other)': 6n,
      [model(familiesMax - 1)]: 2n,
    });
    expect(folded.states.get('s1')?.spending.families.size).toBe(familiesMax + 1);
  });

  it('counts each record once in the totals, under the name that it has when it is folded', () => {
    const given = turns(familiesMax + 5);
    for (const events of [given, given.toReversed()]) {
      expect(fold(sessions, events).sums(totals, 'nanoUsd')).toEqual({
        '': fold(sessions, events).sums(usage, 'nanoUsd')[''],
      });
    }
    expect(fold(sessions, given).sums(totals, 'nanoUsd', 'model')['(other)']).toBe(
      151n + 152n + 153n + 154n + 155n,
    );
    expect(
      fold(sessions, given.toReversed()).sums(totals, 'nanoUsd', 'model')['(other)'],
    ).toBeUndefined();
  });

  it('is bounded too where a sender calls all models by the name of the others', () => {
    const given = Array.from({ length: 400 }, (_, index) =>
      turn(at, { provider: `p${index}`, model: '(other)' }),
    );
    const folded = foldAnyway(given);
    expect(folded.states.get('s1')?.spending.families.size).toBe(familiesMax + 1);
    expect(folded.sums(usage, 'records')).toEqual({ '': 400n });
  });

  it('moves merged lines when their attribution is learned late', () => {
    const given = [
      ...turns(familiesMax + 2),
      attributed(at, { project: 'late', billing: { anthropic: 'subscription' } }),
    ];
    const rows = foldAnyway(given).sums(usage, 'records', 'project', 'billing');
    expect(rows).toEqual({ 'late,subscription': BigInt(familiesMax), 'late,unknown': 2n });
  });

  it('matches copies without a price to their owner’s records, merged or not', () => {
    const own = turn(at, { model: model(familiesMax + 3), inputTokens: 10 });
    const given = [
      ...turns(familiesMax + 3),
      own,
      copy(familiesMax + 3, 10),
      copy(familiesMax + 4, 100),
      copy(familiesMax + 4, 100, later),
      copy(2, 7),
    ];
    const folded = foldAnyway(given);
    // In the first minute two copies of four records: nothing. In the second one copy alone.
    expect(folded.rows(usage, 'model')['(other)']).toMatchObject({
      records: 5n,
      inputTokens: 13n + 100n,
      unpricedRecords: 1n,
    });
    expect(folded.rows(usage, 'model')[model(2)]).toMatchObject({ records: 1n, inputTokens: 1n });
  });

  it('counts claims of subagents among them', () => {
    const claims = ['a', 'z'].map((name) =>
      event(
        'pi.subagent.claimed.v1',
        { at },
        { key: `agent:${name}`, claimed: spendOf({ model: name }) },
      ),
    );
    const folded = foldAnyway([...turns(familiesMax), ...claims]);
    expect(folded.sums(usage, 'inputTokens', 'model')).toMatchObject({ a: 1n, '(other)': 2n });
  });
});
