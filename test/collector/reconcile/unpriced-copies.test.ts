/** Copies without a price in the log. */
import { describe, expect, it } from 'vitest';
import { totalIn } from '../../../collector/reconcile/counted.ts';
import { readLogFacts } from '../../../collector/reconcile/log-facts.ts';
import { countedBy, type Json, moved, unitsOf } from './support/log-moves.ts';
import { aLedger, anEvent, event, live } from './support/two-sides.ts';

const one = { id: 'a1', second: 1 };

const two = { id: 'a2', second: 2, input: 20 };

const unpriced = { costNanoUsd: null, costSource: 'unpriced' };

const readFacts = (...events: readonly Json[]) => readLogFacts(aLedger({ events }).ask, () => null);

describe('a copy that lost its price', () => {
  const copy = (subject: string, more: Json = {}) =>
    event(subject, one, { ownership: 'named', ...more }, unpriced);

  it('counts, once, where nobody else tells of its record', async () => {
    const facts = await readFacts(
      copy('a'),
      copy('a', { id: '019a0000-0000-8000-8000-000000000001' }),
      live('b', two),
    );
    expect(countedBy(facts)).toEqual(['b 1 1000000', 'a 1 0']);
    expect(totalIn(facts.sessions.get('a')?.sums.byKind ?? new Map()).unpricedRecords).toBe(1n);
    expect(facts.sessions.get('a')?.imported).toBe(true);
  });

  it.each([
    ['before', [event('a', one), copy('a')]],
    ['behind', [copy('a'), event('a', one)]],
  ])('is none where the log has its record with a price, %s it', async (_where, events) => {
    const facts = await readFacts(...events);
    expect(countedBy(facts)).toEqual(['a 1 1000000']);
    expect(await unitsOf(facts, 'a')).toHaveLength(1);
  });

  it.each([
    ['before', [event('a', one), copy('a')], '1'],
    ['behind', [copy('a'), event('a', one)], '2'],
  ])('is left out of the records, one by one, with the price %s it', async (_where, events, at) => {
    const [found] = await unitsOf(await readFacts(...events), 'a');
    expect(found?.split(' ')[2]).toBe(at);
  });

  it('leaves every other record where it is, with a price or without', async () => {
    const other = anEvent('pi.session.started.v1', 'a', 1, {});
    const facts = await readFacts(copy('a'), other, event('b', two, {}, unpriced));
    expect(countedBy(facts)).toEqual(['b 1 0', 'a 1 0']);
    expect(await unitsOf(facts, 'a', 'b')).toHaveLength(2);
  });

  it('counts beside the same record of another session, and its own others', async () => {
    expect(countedBy(await readFacts(copy('a'), event('b', one)))).toEqual([
      'b 1 1000000',
      'a 1 0',
    ]);
    expect(countedBy(await readFacts(copy('a'), event('a', two)))).toEqual(['a 2 1000000']);
  });

  it('is found one by one where it counts', async () => {
    const facts = await readFacts(copy('a'));
    expect(await unitsOf(facts, 'a')).toHaveLength(1);
  });

  it.each<[what: string, events: readonly Json[], counts: readonly string[]]>([
    [
      'to another session',
      [
        copy('b'),
        moved('out', 'b', copy('b'), { ownership: 'named' }),
        moved('in', 'a', copy('b'), { ownership: 'named' }),
      ],
      ['a 1 0'],
    ],
    [
      'to where the record has its price',
      [
        copy('b'),
        moved('out', 'b', copy('b'), { ownership: 'named' }),
        moved('in', 'a', copy('b'), { ownership: 'named' }),
        event('a', one),
      ],
      ['a 1 1000000'],
    ],
    [
      'and the record with its price comes by a move',
      [copy('a'), moved('in', 'a', event('b', one))],
      ['a 1 1000000'],
    ],
  ])('is moved %s', async (_what, events, counts) => {
    expect(countedBy(await readFacts(...events))).toEqual(counts);
  });

  it('makes the log be read twice, and no other log', async () => {
    const pages = async (...events: readonly Json[]) => {
      const ledger = aLedger({ events });
      await readLogFacts(ledger.ask, () => null);
      return ledger.asked.filter((path) => path.includes('after=')).length;
    };
    expect([await pages(event('a', one)), await pages(copy('a'))]).toEqual([1, 2]);
  });
});
