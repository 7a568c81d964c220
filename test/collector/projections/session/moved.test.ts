/**
 * Entries that turn out to be another session's (docs/decisions/0017): it counts them, and the one
 * that had them no more.
 */
import type { LedgerEvent, Ownership } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { totals } from '../../../../collector/projections/totals.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { anyEvent, copyEvent } from '../support/any-event.ts';
import { sessions } from '../support/bare-sessions.ts';
import { type Folded, fold } from '../support/fold.ts';
import { attributed, event, spendOf, turn } from '../support/given.ts';
import { moved, moves, spend } from '../support/given-moves.ts';

const at = '2026-11-22T10:00:00.000Z';

const lost = spendOf({ inputTokens: 100, costNanoUsd: null, costSource: 'unpriced' });

/** The entry as if it had come under the other session. */
function under(session: string, entry: LedgerEvent): LedgerEvent {
  return { ...entry, subject: session };
}

/** What sessions count, but not when they were seen, which a move does not take back. */
function countedIn({ states, rows }: Folded<unknown>) {
  const counted = [...(states as Folded<Parameters<typeof sessions.encode>[0]>['states'])].map(
    ([id, { counts, tools }]) => {
      const inOrder = [...tools.values()].toSorted((left, right) =>
        left.name < right.name ? -1 : 1,
      );
      return [id, { counts, tools: inOrder }] as const;
    },
  );
  return { usage: rows(usage, ...usage.dimensions), counted: Object.fromEntries(counted) };
}

const entries: readonly (readonly [string, LedgerEvent])[] = [
  ['an answer', turn(at, spend)],
  [
    'an attempt',
    turn(at, { reported: false, inputTokens: 0, costNanoUsd: null, costSource: 'unpriced' }),
  ],
  [
    'a tool that failed',
    event('pi.tool.completed.v1', { at }, { toolName: 'bash', isError: true, spend: null }),
  ],
  [
    'a tool with spend of its own',
    event('pi.tool.completed.v1', { at }, { turnEntryId: null, spend }),
  ],
  [
    'a tool that claims what its turn spent',
    event('pi.tool.completed.v1', { at }, { turnEntryId: 't1', spend }),
  ],
  ['a compaction', event('pi.compaction.completed.v1', { at }, { spend })],
  ['a branch summary', event('pi.branch.summarized.v1', { at }, { spend })],
  ['another record', event('pi.usage.recorded.v1', { at }, { kind: 'side_call', spend })],
  ['a prompt', event('pi.prompt.submitted.v1', { at })],
  ['an estimate', event('pi.attempt.estimated.v1', { at }, { tokensMax: 7, costNanoUsdMax: 9 })],
  ['a claim', event('pi.subagent.claimed.v1', { at }, { key: 'agent:A', claimed: spend })],
  [
    'a claimed answer',
    event('pi.subagent.claimed.v1', { at }, { key: 'response:00000000000000a1', claimed: spend }),
  ],
  ['a copy without its price', { ...turn(at, lost), ownership: 'named' }],
];

describe('an entry that moves to another session', () => {
  it.each(entries)(
    'counts there and not where it was, and no more in the totals: %s',
    (_name, entry) => {
      const work = [
        attributed(at, { project: 'shop' }),
        attributed(at, { project: 'side' }, 's2'),
        turn(at, {}, 's2'),
        turn(at),
      ];
      const there = [...work, under('s2', entry)];
      const folded = fold(sessions, [...work, entry, ...moves(entry, 's2')], { isReloaded: true });
      expect(countedIn(folded)).toEqual(countedIn(fold(sessions, there)));
      expect(folded.rows(totals)).toEqual(fold(sessions, [...work, entry]).rows(totals));
    },
  );

  it.each(entries)(
    'is seen where it was, and counts nothing more when its session is only surer of it: %s',
    (_name, entry) => {
      const folded = fold(sessions, [entry, moved(entry, 'stay', 's1')]);
      expect(folded.documents()).toEqual(fold(sessions, [entry]).documents());
      expect(folded.emitted).toEqual(fold(sessions, [entry]).emitted);
    },
  );

  it('takes the session as seen at the entry’s time', () => {
    const entry = turn('2026-11-22T09:00:00.000Z', {}, 's0');
    const state = fold(sessions, [turn(at), moved(entry, 'in', 's1')]).states.get('s1');
    expect(state).toMatchObject({ firstSeenAt: '2026-11-22T09:00:00.000Z', lastSeenAt: at });
  });

  it('counts as a record once its own file has it, and as a copy before', () => {
    const entry: LedgerEvent = { ...turn(at, lost), ownership: 'named' };
    const own = turn(at, { ...lost, costNanoUsd: 5, costSource: 'catalog' }, 's2');
    const countedAs = (ownership: Ownership | null) =>
      fold(sessions, [own, moved(entry, 'in', 's2', ownership)]).rows(usage, 'session').s2?.records;
    expect([
      countedAs('named'),
      countedAs('assumed'),
      countedAs('unsure'),
      countedAs(null),
    ]).toEqual([1n, 1n, 2n, 2n]);
  });
});

const movable = new Set([
  'pi.prompt.submitted.v1',
  'pi.turn.completed.v1',
  'pi.tool.completed.v1',
  'pi.compaction.completed.v1',
  'pi.branch.summarized.v1',
  'pi.usage.recorded.v1',
  'pi.attempt.estimated.v1',
  'pi.subagent.claimed.v1',
]);

/**
 * Answers that are claimed by themselves are tested apart: of those that were claimed twice all
 * claims go.
 */
function isMovable({ type, data }: LedgerEvent): boolean {
  return movable.has(type) && !('key' in data && data.key.startsWith('response:'));
}

/** Events, and moves of some of them, each at some time after its entry. */
const withMoves = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 3, arbitrary: anyEvent }, { weight: 1, arbitrary: copyEvent }),
      fc.boolean(),
      fc.nat(20),
      fc.nat(20),
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((list) => {
    const placed = list.flatMap(([each, isMoving, wait, gap], index) => {
      const [out, into] = moves(each, each.subject === 's1' ? 's2' : 's1');
      const isMoved = isMoving && isMovable(each) && out !== undefined && into !== undefined;
      return [
        { place: index, each },
        ...(isMoved
          ? [
              { place: index + wait, each: out },
              { place: index + wait + gap, each: into },
            ]
          : []),
      ];
    });
    const there = list.map(([each, isMoving]) =>
      isMoving && isMovable(each) ? under(each.subject === 's1' ? 's2' : 's1', each) : each,
    );
    return {
      given: placed.toSorted((left, right) => left.place - right.place).map(({ each }) => each),
      there,
    };
  });

describe('moved entries, wherever the moves come', () => {
  it('count as if they had come under their owner', () => {
    fc.assert(
      fc.property(withMoves, fc.boolean(), ({ given, there }, isReloaded) => {
        const [one, other] = [
          countedIn(fold(sessions, there)),
          countedIn(fold(sessions, given, { isReloaded })),
        ];
        expect(other.usage).toEqual(one.usage);
        expect(other.counted).toMatchObject(one.counted);
      }),
      { numRuns: 200 },
    );
  });
});
