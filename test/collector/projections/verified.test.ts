/** What counts of what arrived with a token, whatever else is in the log. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../collector/projections/rules.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { createVerified, verifiedUsage } from '../../../collector/projections/verified.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { attributed, event, spendOf, turn } from './support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const soon = '2026-11-22T10:05:00.000Z';
const later = '2026-11-22T11:00:00.000Z';

const sent = (token: string, ...events: readonly LedgerEvent[]): LedgerEvent[] =>
  events.map((each) => ({ ...each, authenticatedtoken: token }));

const counted = (...events: readonly LedgerEvent[]) =>
  fold(createVerified(noRules), events).sums(
    verifiedUsage,
    'nanoUsd',
    ...['project', 'user', 'labels'],
  );

const dimensions = ['project', 'user', 'labels', 'billing', 'kind'];

const anyRecord = {
  ...{ since: null, until: null, project: null, branch: null, user: null, machine: null },
  ...{ host: null, provider: null, model: null },
};

const claim = (costNanoUsd: number) =>
  event(
    'pi.subagent.claimed.v1',
    { at: soon },
    { entryId: 'tool-1', key: 'omp:kid', claimed: spendOf({ costNanoUsd }) },
  );

const mine = sent('ada', attributed(at), turn(soon, { costNanoUsd: 100 }), claim(1_000));
const rowsIn = (...events: readonly LedgerEvent[]) =>
  fold(createVerified(noRules), events).rows(verifiedUsage, ...dimensions);
const whole = { 'shop,ada,': 1_100n };

describe('what arrived with a token', () => {
  it('counts as it does in reports, where all of it did', () => {
    expect(counted(...mine)).toEqual(whole);
    expect(fold(sessions, mine).sums(usage, 'nanoUsd', 'project', 'user', 'labels')).toEqual(whole);
  });

  const forged: readonly (readonly [what: string, events: readonly LedgerEvent[]])[] = [
    ['spend', [turn(soon, { costNanoUsd: 200e9 })]],
    ['spend in a session of its own', [attributed(at, {}, 's2'), turn(soon, {}, 's2')]],
    ['a later attribution', [attributed(soon, { project: 'docs', user: 'eve' })]],
    ['another billing', [attributed(at, { billing: { anthropic: 'subscription' } })]],
    ['a label', [event('pi.session.labelled.v1', { at }, { labels: { team: 'x' } })]],
    [
      'a label after the fact',
      [event('pi.records.labelled.v1', { at }, { labels: { team: 'x' }, records: anyRecord })],
    ],
    [
      'records of a subagent',
      [
        event(
          'pi.subagent.accounted.v1',
          { at: soon },
          {
            ...{ childSessionId: 'kid', childEntryId: 'e', keys: ['omp:kid'] },
            accounted: spendOf({ costNanoUsd: 1_000 }),
          },
        ),
      ],
    ],
    ['a claim', [claim(5_000)]],
    ['an estimate', [event('pi.attempt.estimated.v1', { at: soon })]],
    ['a request', [event('pi.requests.observed.v1', { at: later })]],
  ];

  it.each(forged)('is not moved by %s without one, before it or after it', (_, events) => {
    expect(rowsIn(...mine, ...events)).toEqual(rowsIn(...mine));
    expect(rowsIn(...events, ...mine)).toEqual(rowsIn(...mine));
    // As reports are.
    expect(fold(sessions, [...mine, ...events]).rows(usage, ...dimensions)).not.toEqual(
      rowsIn(...mine),
    );
  });

  it.each(forged)('of one person is not moved by %s with the token of another', (_, events) => {
    const other = sent('eve', ...events);
    const { 'shop,ada,': sum, ...more } = counted(...mine, ...other);
    expect(sum).toBe(events.some(({ subject }) => subject === 's2') ? 1_101n : 1_100n);
    expect(counted(...other, ...mine)).toEqual({ 'shop,ada,': sum, ...more });
  });

  it.each(['ada', 'eve'])('stays where it is when an entry is moved by a claim of %s', (token) => {
    const { type, data, id } = mine[1] as LedgerEvent<'pi.turn.completed.v1'>;
    const [out, into] = (['out', 'in'] as const).map((role) =>
      event(
        'pi.entry.moved.v1',
        { at: soon, session: role === 'out' ? 's1' : 's2', source: '/collector' },
        { eventId: id, role, ownership: null, event: { type, data } },
      ),
    ) as [LedgerEvent, LedgerEvent];
    expect(counted(...mine, ...sent(token, out, into))).toEqual(whole);
  });

  it('is of one session and one token, whatever these are called', () => {
    const [one, other] = [turn(at, {}, 'b c'), turn(at, {}, 'c')];
    const { states } = fold(createVerified(noRules), [...sent('a', one), ...sent('a b', other)]);
    expect(states.size).toBe(2);
  });

  it('is the same in every order, and after its documents were sealed', () => {
    const verified = createVerified(noRules);
    const folded = fold(verified, mine);
    expect(fold(verified, mine.toReversed()).documents()).toEqual(folded.documents());
    const sums: bigint[] = [];
    for (const body of Object.values(folded.documents())) {
      const state = verified.sealing?.open(body, verified.version);
      if (state == null) throw new Error('It cannot be opened.');
      verified.sealing?.emit(state, (rollup, _key, measures) => {
        expect(rollup).toBe(verifiedUsage);
        sums.push(BigInt(measures[rollup.measures.indexOf('nanoUsd')] ?? 0));
      });
    }
    expect(sums.reduce((sum, each) => sum + each, 0n)).toBe(1_100n);
  });
});
