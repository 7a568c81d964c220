import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { context, createContext } from '../../../collector/projections/context.ts';
import { sessionFile } from '../../extension/support/sessions.ts';
import { eventsOfFile } from '../queries/context/given.ts';
import { fold } from './fold.ts';
import { event, spendOf, turn } from './given.ts';

const at = '2026-11-21T23:59:59.000Z';

/** Across the borders of two chunks, on few times, so that facts collide. */
const time = fc
  .tuple(fc.constantFrom(0, 1, 2, 9, 10, 11, 20), fc.constantFrom(0, 1, 59_999))
  .map(([minutes, ms]) =>
    new Date(Date.parse('2026-11-21T23:40:00.000Z') + minutes * 60_000 + ms).toISOString(),
  );
const entryId = fc.constantFrom('e1', 'e2', 'e3');
const session = fc.constantFrom('s1', 's1', 's2');
const path = fc.constantFrom('a.txt', 'b.txt', 'a/very/long/path.txt');

const anyEvent: fc.Arbitrary<LedgerEvent> = fc.oneof(
  fc
    .tuple(time, session, fc.nat(9))
    .map(([when, name, inputTokens]) => turn(when, { inputTokens }, name)),
  fc
    .tuple(time, session, entryId)
    .map(([when, name, id]) =>
      event('pi.prompt.submitted.v1', { at: when, session: name }, { entryId: id }),
    ),
  fc
    .tuple(time, session, fc.array(path, { maxLength: 4 }))
    .map(([when, name, paths]) =>
      event('pi.tool.completed.v1', { at: when, session: name }, { paths, spend: null }),
    ),
  fc
    .tuple(time, session, entryId, fc.option(fc.nat(99)))
    .map(([when, name, id, tokensBefore]) =>
      event(
        'pi.compaction.completed.v1',
        { at: when, session: name },
        { entryId: id, tokensBefore, spend: spendOf({}) },
      ),
    ),
  fc
    .tuple(time, session)
    .map(([when, name]) => event('pi.branch.summarized.v1', { at: when, session: name })),
  fc
    .tuple(time, session)
    .map(([when, name]) => event('pi.model.changed.v1', { at: when, session: name })),
  fc
    .tuple(time, session)
    .map(([when, name]) => event('pi.usage.recorded.v1', { at: when, session: name })),
  fc
    .tuple(time, session, fc.constantFrom('manual', null))
    .map(([when, name, trigger]) =>
      event('pi.compaction.timed.v1', { at: when, session: name }, { trigger }),
    ),
  fc
    .tuple(time, session, fc.boolean())
    .map(([when, name, aborted]) =>
      event('pi.compaction.failed.v1', { at: when, session: name }, { aborted }),
    ),
  fc
    .tuple(
      time,
      session,
      fc.constantFrom('large', 'small', 'tiny'),
      fc.constantFrom('provider' as const, 'estimate' as const),
    )
    .map(([when, name, model, source]) =>
      event('pi.context.sampled.v1', { at: when, session: name }, { model, source }),
    ),
);

const twoOrders = fc
  .array(anyEvent, { maxLength: 40, size: 'max' })
  .chain((events) =>
    fc.tuple(
      fc.constant(events),
      fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
    ),
  );

const narrow = {
  entriesMax: 3,
  summariesMax: 2,
  liveMax: 1,
  windowsMax: 2,
  toolPathsMax: 2,
  summaryPathsMax: 1,
  pathCharsMax: 8,
};

describe.each([
  ['wide', context],
  ['narrow', createContext(narrow)],
])('context, whatever the order of events (%s limits)', (_name, projection) => {
  it('gives the same documents, and goes through their text unharmed', () => {
    fc.assert(
      fc.property(twoOrders, ([given, shuffled]) => {
        const [one, other] = [
          fold(projection, given),
          fold(projection, shuffled, { isReloaded: true }),
        ];
        expect(other.documents()).toEqual(one.documents());
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same documents wherever the batches end', () => {
    fc.assert(
      fc.property(twoOrders, fc.func(fc.boolean()), ([given], isReloaded) => {
        const [one, other] = [
          fold(projection, given),
          fold(projection, given, { isReloaded: (index) => isReloaded(index) }),
        ];
        expect(other.documents()).toEqual(one.documents());
      }),
      { numRuns: 100 },
    );
  });
});

describe('a chunk', () => {
  it('holds ten minutes of one session, by the events own time', () => {
    const given = [
      turn('2026-11-22T09:09:59.999Z'),
      turn('2026-11-22T09:10:00.000Z'),
      turn('2026-11-22T09:19:59.999Z', {}, 's2'),
    ];
    expect([...fold(context, given).states.keys()]).toEqual([
      's1/2026-11-22T09:0',
      's1/2026-11-22T09:1',
      's2/2026-11-22T09:1',
    ]);
  });

  it('keeps every compaction beside any number of entries, and counts the rest', () => {
    const turns = Array.from({ length: 9 }, () => turn(at));
    const [chunk] = fold(createContext(narrow), [
      ...turns,
      event('pi.compaction.completed.v1', { at }),
    ]).states.values();
    expect(chunk).toMatchObject({
      left: 6,
      summaries: [{ kind: 'compaction', tokensBefore: 9600 }],
    });
    expect(chunk?.entries).toHaveLength(3);
  });

  it('leaves out a path that is too long rather than cut it, which would name another file', () => {
    const given = event(
      'pi.tool.completed.v1',
      { at },
      { paths: ['a/very/long/path.txt', 'b.txt'] },
    );
    const [chunk] = fold(createContext(narrow), [given]).states.values();
    expect(chunk?.entries[0]).toMatchObject({ paths: ['b.txt'] });
  });

  it('counts its events in a column, so that a reading of it can be known again', () => {
    const given = [
      event('pi.compaction.completed.v1', { at }),
      event('pi.compaction.failed.v1', { at }),
      turn(at),
      turn(at),
      turn(at),
      turn(at),
    ];
    const [chunk] = fold(createContext(narrow), given).states.values();
    expect(chunk && context.columnsOf(chunk)).toEqual({
      session: 's1',
      startedAt: at,
      lastSeenAt: at,
      events: 6,
    });
  });

  it('is the same through its text for every recorded session', () => {
    const events = ['pi15/rpc-main', 'omp18/json-autocompact', 'pi15/rpc-tree'].flatMap((name) =>
      eventsOfFile(sessionFile(name)),
    );
    expect(fold(context, events, { isReloaded: true }).documents()).toEqual(
      fold(context, events).documents(),
    );
  });

  it('holds no documents for events that say nothing of the context', () => {
    expect(
      fold(context, [event('pi.run.completed.v1', { at }), event('pi.session.ended.v1', { at })])
        .states.size,
    ).toBe(0);
  });

  it('keeps of a sample what its answer does not say', () => {
    const nothing = {
      limitsSource: undefined,
      systemPromptChars: undefined,
      tools: undefined,
      windowTokens: null,
    };
    const sample = (data: object) =>
      event('pi.context.sampled.v1', { at }, { ...nothing, ...data } as object);
    const chunkOf = (...given: LedgerEvent[]) =>
      [...fold(createContext(narrow), given).states.values()][0];
    const empty = { samples: [], limits: [], fixtures: [], windows: new Map(), left: 0 };
    expect(chunkOf(sample({ source: 'provider' }))).toMatchObject(empty);
    expect(chunkOf(sample({ source: 'estimate', tokens: 7 }))).toMatchObject({
      ...empty,
      samples: [{ time: at, tokens: 7, source: 'estimate' }],
    });
    expect(
      chunkOf(sample({ source: 'provider', limitsSource: 'host', thresholdTokens: 9 })),
    ).toMatchObject({
      ...empty,
      limits: [{ time: at, thresholdTokens: 9, source: 'host' }],
    });
    for (const said of [{ tools: 3 }, { systemPromptChars: 3 }]) {
      expect(chunkOf(sample({ source: 'provider', ...said }))).toMatchObject({
        ...empty,
        fixtures: [{ time: at, ...said }],
      });
    }
  });

  it('knows since when and until when a window was said, of the first of the alphabet', () => {
    const seen = (model: string | null, second: number) =>
      event(
        'pi.context.sampled.v1',
        { at: `2026-11-21T23:50:0${second}.000Z` },
        { provider: null, model, windowTokens: 100 },
      );
    const given = [
      seen('c', 1),
      seen('b', 5),
      seen('b', 2),
      seen('b', 8),
      seen('b', 4),
      seen(null, 3),
    ];
    for (const events of [given, given.toReversed()]) {
      const [chunk] = fold(createContext(narrow), events).states.values();
      expect(
        [...(chunk?.windows.values() ?? [])].toSorted((left, right) =>
          left.model < right.model ? -1 : 1,
        ),
      ).toEqual([
        {
          provider: '',
          model: '',
          windowTokens: 100,
          firstAt: '2026-11-21T23:50:03.000Z',
          lastAt: '2026-11-21T23:50:03.000Z',
        },
        {
          provider: '',
          model: 'b',
          windowTokens: 100,
          firstAt: '2026-11-21T23:50:02.000Z',
          lastAt: '2026-11-21T23:50:08.000Z',
        },
      ]);
    }
  });
});
