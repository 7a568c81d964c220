/** What single events do to a session. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../../collector/projections/rules.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { totals } from '../../../../collector/projections/totals.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { event, limitsWide, spendOf, turn } from '../support/given.ts';
import { moved } from '../support/given-moves.ts';

const at = '2026-11-22T10:00:00.000Z';
const later = '2026-11-22T11:00:00.000Z';

function foldOne(given: readonly LedgerEvent[], projection = sessions) {
  const state = fold(projection, given, { isReloaded: true }).states.get('s1');
  if (state === undefined) throw new Error('there is no such session');
  return state;
}

const inBothOrders = (...given: LedgerEvent[]) => [given, given.toReversed()];

describe('a session whose recording is switched', () => {
  const paused = event('pi.recording.switched.v1', { at }, {
    entryId: 'e1',
    state: 'paused',
    entries: null,
  } as never);
  const resumed = event('pi.recording.switched.v1', { at: later }, {
    entryId: 'e2',
    state: 'resumed',
    entries: 4,
  } as never);
  const entryIds = (given: readonly LedgerEvent[]) =>
    [...foldOne(given).switches.values()].map(({ entryId }) => entryId);

  it('knows when', () => {
    expect(entryIds([paused, resumed])).toEqual(['e1', 'e2']);
  });

  it('forgets what turns out to be of another session, and nothing for any other move', () => {
    expect(entryIds([paused, resumed, moved(paused, 'out', 's1')])).toEqual(['e2']);
    expect(entryIds([paused, moved(turn(at), 'out', 's1')])).toEqual(['e1']);
  });
});

describe('a session with two headers', () => {
  const started = (time: string, cwd: string) =>
    event('pi.session.started.v1', { at: time }, { cwd, parentSessionId: null });

  it.each([
    ...inBothOrders(started(at, '/z'), started(later, '/a')),
    ...inBothOrders(started(at, '/z'), started(at, '/zz')),
  ])('goes by the older one, then by the alphabetically first', (...given) => {
    expect(foldOne(given).started).toMatchObject({ at, cwd: '/z' });
  });
});

describe('a session that ended twice', () => {
  const ended = (time: string, reason: string) =>
    event('pi.session.ended.v1', { at: time }, { reason } as never);

  it.each([
    ...inBothOrders(ended(at, 'quit'), ended(later, 'fork')),
    ...inBothOrders(ended(later, 'aaa'), ended(later, 'fork')),
  ])('goes by the last end, then by the alphabetically last', (...given) => {
    expect(foldOne(given).ended).toEqual({ at: later, reason: 'fork' });
  });
});

describe('the cells of a session', () => {
  const minutes = (...each: number[]) =>
    each.map((minute) => turn(new Date(Date.parse(at) + minute * 60_000).toISOString()));
  const narrow = createSessions(noRules, { ...limitsWide, cellsMax: 2, longCellsMax: 4 });

  it('are minutes, then quarters of an hour, then hours, the more there are', () => {
    const lengthAfter = (...each: number[]) =>
      foldOne(minutes(...each), narrow).spending.cellMinutes;
    expect(lengthAfter(0, 1)).toBe(1);
    expect(lengthAfter(0, 1, 2)).toBe(15);
    expect(lengthAfter(0, 15, 30)).toBe(15);
    const quarters = [0, 15, 30, 45];
    expect(lengthAfter(...quarters)).toBe(15);
    expect(lengthAfter(...quarters, 60)).toBe(60);
    expect(lengthAfter(...quarters, 60, 120, 121)).toBe(60);
  });

  it('are as long in any order, also where a move is the last to be heard of', () => {
    const one = createSessions(noRules, { ...limitsWide, cellsMax: 1 });
    const [first, second] = minutes(0, 5) as [LedgerEvent, LedgerEvent];
    const out = moved(second, 'out', 's1');
    expect(foldOne([first, out], one).spending.cellMinutes).toBe(15);
    const documents = [
      [first, second, out],
      [first, out, second],
      [out, second, first],
    ].map((given) => fold(one, given).documents());
    expect(new Set(documents.map((each) => JSON.stringify(each))).size).toBe(1);
  });
});

describe('what a session emits', () => {
  it('are rows of the rollups that it names, with a measure for each name', () => {
    const claim = event('pi.subagent.claimed.v1', { at }, {
      key: 'agent:SubA',
      claimed: spendOf({ inputTokens: 9 }),
    } as never);
    const { emitted } = fold(sessions, [turn(at), claim]);
    expect(new Set(emitted.map(({ rollup }) => rollup))).toEqual(new Set([usage, totals]));
    for (const { rollup, dimensions, measures } of emitted) {
      expect(measures).toHaveLength(rollup.measures.length);
      expect(dimensions).toHaveLength(rollup.dimensions.length);
    }
  });

  it('goes into usage, its coarser rollups and totals, of which only totals never go down', () => {
    const coarser = (usage.coarser ?? []).map(({ name }) => name);
    expect(coarser).toHaveLength(8);
    const { rollups, sealing } = createSessions(noRules);
    expect(rollups.map(({ name }) => name)).toEqual(['usage', ...coarser, 'totals']);
    expect(sealing?.cumulative).toEqual([totals]);
  });
});
