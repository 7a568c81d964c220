/**
 * Entries that turn out to be another session's (docs/decisions/0017): it counts them, and the one
 * that had them no more.
 */
import type { EventData, LedgerEvent, Ownership } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactions } from '../../../collector/projections/compactions.ts';
import { context } from '../../../collector/projections/context.ts';
import { producers } from '../../../collector/projections/producers.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessions, sessions } from '../../../collector/projections/sessions.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { anyEvent, copyEvent } from './any-event.ts';
import { type Folded, fold } from './fold.ts';
import { attributed, event, limitsWide, spendOf, turn } from './given.ts';

const at = '2026-11-22T10:00:00.000Z';
const spend = spendOf({
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 300,
  cacheWriteTokens: 40,
  costNanoUsd: 5_000,
});
const lost = spendOf({ inputTokens: 100, costNanoUsd: null, costSource: 'unpriced' });

type Role = EventData<'pi.entry.moved.v1'>['role'];

/** As collector/ingest/ownership.ts writes it. */
function moved(
  { id, time, type, data }: LedgerEvent,
  role: Role,
  session: string,
  ownership: Ownership | null = null,
): LedgerEvent {
  return event('pi.entry.moved.v1', { at: time, session, source: '/collector' }, {
    eventId: id,
    role,
    ownership,
    event: { type, data },
  } as Partial<EventData<'pi.entry.moved.v1'>>);
}

function moves(entry: LedgerEvent, to: string): LedgerEvent[] {
  return [
    moved(entry, 'out', entry.subject, entry.ownership ?? null),
    moved(entry, 'in', to, entry.ownership ?? null),
  ];
}

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

describe('a claim that moves', () => {
  const answer = 'response:00000000000000a1';
  const claim = (key: string, time = at, claimed = spend) =>
    event('pi.subagent.claimed.v1', { at: time }, { key, claimed });
  const account = (keys: string[]) =>
    event('pi.subagent.accounted.v1', { at }, { keys, accounted: spend });
  const rowOf = (given: readonly LedgerEvent[], projection = sessions) =>
    fold(projection, given, { isReloaded: true }).rows(usage, 'session', 'kind')['s1,tool'];

  it('takes an answer with it that was claimed twice: rather too little than twice', () => {
    const [first, second] = [claim(answer), claim(answer, '2026-11-22T10:01:00.000Z')];
    expect(rowOf([first, second, moved(second, 'out', 's1')])).toBeUndefined();
    expect(rowOf([first, second, moved(second, 'out', 's1'), claim(answer)])).toMatchObject({
      records: 1n,
      nanoUsd: 5_000n,
    });
  });

  it('leaves an answer that is accounted for: nothing of it counts', () => {
    const given = [claim(answer), account(['turn:t1', answer])];
    expect(rowOf([...given, moved(claim(answer), 'out', 's1')])).toBeUndefined();
    expect(rowOf([...given, moved(claim(answer), 'out', 's1'), claim(answer)])).toBeUndefined();
  });

  it('leaves what is accounted for to the claims that stay', () => {
    const [first, second] = [claim('agent:A'), claim('agent:A', '2026-11-22T10:01:00.000Z')];
    expect(rowOf([first, second, account(['agent:A'])])).toMatchObject({ records: 1n });
    expect(rowOf([first, second, account(['agent:A']), moved(first, 'out', 's1')])).toBeUndefined();
  });

  it('takes nothing when the session does not have it', () => {
    const own = claim('agent:A');
    for (const foreign of [
      claim('agent:A', at, { ...spend, model: 'other' }),
      claim('agent:B'),
      claim('agent:A', '2026-11-22T11:00:00.000Z'),
      claim(answer),
    ]) {
      expect(rowOf([own, moved(foreign, 'out', 's1')])).toMatchObject({
        records: 1n,
        nanoUsd: 5_000n,
      });
    }
  });

  it('takes nothing with it when it was of nothing', () => {
    const none = claim(
      'agent:A',
      at,
      spendOf({ reported: false, inputTokens: 0, costNanoUsd: null, costSource: 'unpriced' }),
    );
    expect(rowOf([claim('agent:A'), none, moved(none, 'out', 's1')])).toMatchObject({
      records: 1n,
      nanoUsd: 5_000n,
    });
  });

  it('leaves the sum, where only sums are compared', () => {
    const small = createSessions(noRules, { ...limitsWide, claimsMax: 1 });
    const [first, second] = [claim('agent:A'), claim(answer, at, { ...spend, model: 'other' })];
    const third = claim('agent:B', '2026-11-22T10:01:00.000Z');
    const given = [first, second, third, account(['agent:C']), moved(second, 'out', 's1')];
    expect(rowOf(given, small)).toMatchObject({ inputTokens: 100n, nanoUsd: 5_000n });
    expect(rowOf([...given, moved(first, 'out', 's1')], small)).toBeUndefined();
  });

  it('leaves the sums of other models, where only sums are compared', () => {
    const pooling = createSessions(noRules, { ...limitsWide, claimsMax: 0 });
    const of = (provider: string, model: string, inputTokens: number) =>
      claim('agent:A', at, spendOf({ provider, model, inputTokens }));
    const claims = [of('a', 'x', 1), of('a', 'y', 10), of('b', 'x', 100)];
    const none = claim(
      'agent:A',
      at,
      spendOf({ provider: 'a', model: 'x', reported: false, inputTokens: 0, costNanoUsd: null }),
    );
    const sumsWith = (...more: LedgerEvent[]) =>
      fold(pooling, [...claims, ...more]).sums(usage, 'inputTokens', 'provider', 'model');
    const all = { 'a,x': 1n, 'a,y': 10n, 'b,x': 100n };
    expect(sumsWith(none, moved(none, 'out', 's1'))).toEqual(all);
    expect(fold(pooling, [...claims, moved(none, 'out', 's1')]).sums(usage, 'records')).toEqual({
      '': 3n,
    });
    for (const each of claims) {
      const { provider, model } = (each.data as EventData<'pi.subagent.claimed.v1'>).claimed;
      const left = Object.entries(all).filter(([key]) => key !== `${provider},${model}`);
      expect(sumsWith(moved(each, 'out', 's1'))).toEqual(Object.fromEntries(left));
    }
  });

  it('takes no room any more among those that a session may have', () => {
    const small = createSessions(noRules, { ...limitsWide, claimsMax: 4 });
    const [first, second, third] = [
      claim('agent:A'),
      claim('agent:B'),
      claim('agent:A', '2026-11-22T10:01:00.000Z'),
    ];
    const state = fold(small, [first, moved(first, 'out', 's1'), second, third], {
      isReloaded: false,
    }).states.get('s1');
    expect(state?.claims).toMatchObject({ isPooled: false, sharedClaims: 2 });
  });
});

describe('a tool call that moves', () => {
  const call = (toolName: string, isError = false) =>
    event('pi.tool.completed.v1', { at }, { toolName, isError, spend: null });
  const small = createSessions(noRules, { ...limitsWide, toolNamesMax: 1 });
  const toolsOf = (given: readonly LedgerEvent[]) => [
    ...(fold(small, given).states.get('s1')?.tools.values() ?? []),
  ];

  it('is taken off those that count as one, where its name does', () => {
    const [read, write] = [call('read', true), call('write', true)];
    expect(toolsOf([call('bash'), read, write, moved(read, 'out', 's1')])).toEqual([
      { name: 'bash', calls: 1, errors: 0 },
      { name: '(other)', calls: 1, errors: 1 },
    ]);
    expect(toolsOf([call('bash'), read, moved(read, 'out', 's1')])).toEqual([
      { name: 'bash', calls: 1, errors: 0 },
    ]);
  });

  it('takes nothing where there is none such', () => {
    expect(toolsOf([call('bash'), moved(call('read'), 'out', 's1')])).toEqual([
      { name: 'bash', calls: 1, errors: 0 },
    ]);
  });
});

describe('the other projections of an entry that moves', () => {
  const compaction = event('pi.compaction.completed.v1', { at }, { entryId: 'c1' });
  const branch = event('pi.branch.summarized.v1', { at }, { entryId: 'b1' });
  const entryIds = (given: readonly LedgerEvent[], key: string) => {
    const chunk = fold(context, given, { isReloaded: true }).states.get(key);
    return chunk && [...chunk.entries, ...chunk.summaries].map(({ id }) => id);
  };

  it.each([
    ['a compaction', compaction],
    ['a branch summary', branch],
    ['an answer', event('pi.turn.completed.v1', { at }, { entryId: 'a1' })],
    ['a tool call', event('pi.tool.completed.v1', { at }, { entryId: 'o1' })],
  ])('context: its facts stand with its owner: %s', (_name, entry) => {
    const others = [
      event('pi.prompt.submitted.v1', { at }, { entryId: 'p1' }),
      event('pi.compaction.completed.v1', { at }, { entryId: 'c2' }),
    ];
    const id = 'entryId' in entry.data ? entry.data.entryId : null;
    const given = [...others, entry, ...moves(entry, 's2'), moved(entry, 'stay', 's3')];
    expect(entryIds(given, 's1/2026-11-22T10:0')).toEqual(['p1', 'c2']);
    expect(entryIds(given, 's2/2026-11-22T10:0')).toEqual([id]);
    expect(entryIds(given, 's3/2026-11-22T10:0')).toBeUndefined();
  });

  it('context: takes nothing out that only looks alike', () => {
    const [first, second] = ['e1', 'e2'].map((entryId) =>
      event('pi.prompt.submitted.v1', { at }, { entryId }),
    );
    const later = event(
      'pi.prompt.submitted.v1',
      { at: '2026-11-22T10:00:01.000Z' },
      { entryId: 'e1' },
    );
    if (first === undefined || second === undefined) throw new Error('there are two');
    expect(
      entryIds(
        [first, moved(second, 'out', 's1'), moved(later, 'out', 's1')],
        's1/2026-11-22T10:0',
      ),
    ).toEqual(['e1']);
    expect(entryIds([first, later, moved(later, 'out', 's1')], 's1/2026-11-22T10:0')).toEqual([
      'e1',
    ]);
  });

  it.each([
    ['named', 0],
    ['assumed', 0],
    ['unsure', 1],
  ] as const)(
    'context: a copy without its price says nothing that its owner does not (%s)',
    (ownership, chunks) => {
      const entry: LedgerEvent = { ...turn(at, lost), ownership };
      expect(fold(context, [entry]).states.size).toBe(chunks);
      expect(fold(context, [moved(entry, 'in', 's2', ownership)]).states.size).toBe(chunks);
    },
  );

  it('context: an entry of a kind that fills no context has no place anywhere', () => {
    const entry = event('pi.subagent.claimed.v1', { at });
    expect(fold(context, moves(entry, 's2')).states.size).toBe(0);
  });

  it.each([compaction, branch])('compactions: its row is of its owner', (entry) => {
    const [row, ...others] = fold(compactions, [entry, ...moves(entry, 's2')], {
      isReloaded: true,
    }).states.values();
    expect(row).toMatchObject({
      id: entry.id,
      session: 's2',
      entryId: 'entryId' in entry.data ? entry.data.entryId : '',
    });
    expect(others).toEqual([]);
    expect(fold(compactions, [entry, moved(entry, 'stay', 's3')]).documents()).toEqual(
      fold(compactions, [entry]).documents(),
    );
    expect(fold(compactions, moves(turn(at), 's2')).documents()).toEqual({});
  });

  it('producers: nobody reported it', () => {
    expect(fold(producers, moves(turn(at), 's2')).documents()).toEqual({});
  });
});
