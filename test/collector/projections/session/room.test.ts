/** The bounds of a session's document, with small limits. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { UnfoldableError } from '../../../../collector/projections/projection.ts';
import { noRules } from '../../../../collector/projections/rules.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, limitsWide, spendOf, turn } from '../support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const minute = (index: number) => new Date(Date.parse(at) + index * 60_000).toISOString();
const hours = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    turn(minute(index * 60), { costNanoUsd: 10 ** index }),
  );

describe('a session with much work', () => {
  const small = createSessions(noRules, { ...limitsWide, cellsMax: 2, longCellsMax: 3 });
  const spendingOf = (given: readonly LedgerEvent[]) =>
    fold(small, given, { isReloaded: true }).states.get('s1')?.spending;

  it('switches to quarters of an hour and to hours, and keeps every sum', () => {
    const given = [0, 1, 15, 30, 45, 60].map((index) =>
      turn(minute(index), { costNanoUsd: 10 ** index }),
    );
    expect(spendingOf(given.slice(0, 2))).toMatchObject({ cellMinutes: 1, cells: 2 });
    expect(spendingOf(given.slice(0, 3))).toMatchObject({ cellMinutes: 15, cells: 2 });
    expect(spendingOf(given.slice(0, 4))).toMatchObject({ cellMinutes: 15, cells: 3 });
    expect(spendingOf(given.slice(0, 5))).toMatchObject({ cellMinutes: 60, cells: 1 });
    expect(spendingOf(given)).toMatchObject({ cellMinutes: 60, cells: 2 });
    expect(fold(small, given).sums(usage, 'nanoUsd', 'hour')).toEqual(
      fold(sessions, given).sums(usage, 'nanoUsd', 'hour'),
    );
  });

  it('says nothing to the rollups where cells become longer within their rows', () => {
    const given = Array.from({ length: 9 }, (_, index) => turn(minute(index)));
    expect(fold(small, given).emitted).toHaveLength(2 * given.length);
  });

  it('moves to the attribution in force at the end of the longer cell', () => {
    const given = [
      attributed(at, { project: 'shop' }),
      attributed(minute(5), { project: 'side' }),
      turn(minute(0)),
      turn(minute(20)),
      turn(minute(40)),
    ];
    expect(fold(sessions, given).sums(usage, 'records', 'project')).toEqual({ shop: 1n, side: 2n });
    expect(fold(small, given).sums(usage, 'records', 'project')).toEqual({ side: 3n });
    const ignoring = createSessions(
      { ...noRules, projects: [{ match: 'side', ignore: true }] },
      { ...limitsWide, cellsMax: 2 },
    );
    expect(fold(ignoring, given).rows(usage)).toEqual({});
  });

  it('refuses spend in too many hours, unchanged, and takes everything else', () => {
    const { state } = evolveAll(hours(5));
    const before = small.encode(state);
    const refused = [
      turn(minute(0)),
      event('pi.compaction.completed.v1', { at }),
      event('pi.branch.summarized.v1', { at }),
      event('pi.usage.recorded.v1', { at }),
      event('pi.tool.completed.v1', { at }),
      event('pi.subagent.claimed.v1', { at }),
      event('pi.subagent.accounted.v1', { at }),
      event('pi.attempt.estimated.v1', { at }),
      moved(turn(minute(0))),
    ];
    for (const each of refused) expect(() => evolve(state, each)).toThrow(UnfoldableError);
    expect(() => evolve(state, turn(minute(0)))).toThrow('Its session has too many hours of work.');
    expect(small.encode(state)).toBe(before);
    for (const type of [
      'pi.prompt.submitted.v1',
      'pi.session.ended.v1',
      'pi.compaction.failed.v1',
    ] as const)
      evolve(state, event(type, { at }));
    evolve(state, attributed(at));
    expect(small.encode(state)).not.toBe(before);
  });

  it('takes in as many hours as there is room for', () => {
    const given = hours(5);
    expect(evolveAll(given.slice(0, 3)).state.spending).toMatchObject({
      cellMinutes: 15,
      cells: 3,
    });
    expect(evolveAll(given).taken).toBe(4);
  });

  /** Folds events until one is refused. */
  function evolveAll(given: readonly LedgerEvent[]) {
    const state = small.initial('s1');
    const taken = given.findIndex((each) => {
      try {
        return void evolve(state, each);
      } catch {
        return true;
      }
    });
    return { state, taken: taken < 0 ? given.length : taken };
  }

  function evolve(state: ReturnType<typeof small.initial>, given: LedgerEvent): void {
    small.evolve(state, { position: 1, receivedAtMs: 0, event: given }, () => undefined);
  }

  function moved({ id, type, data }: LedgerEvent): LedgerEvent {
    return event(
      'pi.entry.moved.v1',
      { at },
      { eventId: id, role: 'in', ownership: null, event: { type, data } },
    );
  }
});

describe('a session with claims of many models', () => {
  const claims = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      event(
        'pi.subagent.claimed.v1',
        { at },
        { key: 'agent:A', claimed: spendOf({ model: `m${index}` }) },
      ),
    );

  it('refuses more of them, and nothing else', () => {
    const { states } = fold(sessions, [
      ...claims(100),
      turn(at),
      event('pi.subagent.accounted.v1', { at }),
    ]);
    expect(states.get('s1')?.claims.pool.claims).toHaveLength(100);
    expect(() => fold(sessions, claims(101))).toThrow('Its session has claims of too many models.');
    expect(() => fold(sessions, claims(101))).toThrow(UnfoldableError);
    const tool = event('pi.tool.completed.v1', { at }, { turnEntryId: 't1', spend: spendOf({}) });
    expect(() => fold(sessions, [...claims(100), tool])).toThrow(UnfoldableError);
  });
});

describe('keys of claims', () => {
  const keyIn = (key: string) => {
    const claim = event('pi.subagent.claimed.v1', { at }, { key, claimed: spendOf({}) });
    return [...(fold(sessions, [claim]).states.get('s1')?.claims.keys.keys() ?? [])][0];
  };

  it.each([['agent:A'], ['x'.repeat(64)], [' !#[]~']])(
    'stay as they are while they are short and plain: %s',
    (key) => {
      expect(keyIn(key)).toBe(key);
    },
  );

  it.each([
    ['x'.repeat(65)],
    ['"'],
    ['\\'],
    ['\u001f'],
    ['\u007f'],
    ['ä'],
    ['\ud83d'],
    ['x"'],
    ['"x'],
  ])('are short ones where they are not: %j', (key) => {
    expect(keyIn(key)).toMatch(/^[0-9a-f]{32}$/);
    expect(keyIn(`${key} `)).not.toBe(keyIn(key));
  });

  it('meet with the keys of accounts, however long', () => {
    const key = `agent:${'A'.repeat(200)}`;
    const given = [
      event('pi.subagent.claimed.v1', { at }, { key, claimed: spendOf({}) }),
      event('pi.subagent.accounted.v1', { at }, { keys: [key], accounted: spendOf({}) }),
    ];
    expect(fold(sessions, given).rows(usage)).toEqual({});
  });
});

describe('text of attributions', () => {
  const lengthOf = (project: string) =>
    fold(sessions, [attributed(at, { project })]).states.get('s1')?.timeline.attributions[0]?.text
      .length ?? 0;

  it('is bounded: as many of the newest stay as have room, whatever the order', () => {
    const name = 'p'.repeat(100_000 - lengthOf(''));
    const given = Array.from({ length: 9 }, (_, index) =>
      attributed(minute(index), { project: name }),
    );
    const timesIn = (events: readonly LedgerEvent[]) =>
      fold(sessions, events)
        .states.get('s1')
        ?.timeline.attributions.map(({ time }) => time);
    expect(timesIn(given)).toEqual(given.slice(1).map(({ time }) => time));
    expect(timesIn(given.toReversed())).toEqual(timesIn(given));
    const longer = [...given.slice(0, 8), attributed(minute(8), { project: `${name}p` })];
    expect(timesIn(longer)).toEqual(longer.slice(2).map(({ time }) => time));
  });
});
