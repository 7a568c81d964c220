import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { context, createContext } from '../../../collector/projections/context.ts';
import { sessionFile } from '../../extension/support/sessions.ts';
import { eventsOfFile } from '../answers/context/given.ts';
import { fold } from './support/fold.ts';
import { event, turn } from './support/given.ts';
import { narrow } from './support/given-context.ts';

const at = '2026-11-21T23:59:59.000Z';

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

  it('keeps what a copy says that spends nothing', () => {
    const copy: LedgerEvent = { ...event('pi.prompt.submitted.v1', { at }), ownership: 'named' };
    const [chunk] = fold(context, [copy]).states.values();
    expect(chunk?.entries).toMatchObject([{ kind: 'user' }]);
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
      fold(context, [event('pi.session.copied.v1', { at }), event('pi.session.ended.v1', { at })])
        .states.size,
    ).toBe(0);
  });

  it('keeps how long answers, calls, waits and runs took, the earliest of them', () => {
    const given = [
      event('pi.run.completed.v1', { at }),
      event('pi.human.waited.v1', { at: '2026-11-21T23:59:58.000Z' }),
      event('pi.tool.timed.v1', { at: '2026-11-21T23:59:57.000Z' }),
      event('pi.turn.timed.v1', { at: '2026-11-21T23:59:56.000Z' }),
    ];
    for (const events of [given, given.toReversed()]) {
      const [all] = fold(context, events).states.values();
      expect(all?.moments).toMatchObject([
        { kind: 'turn', id: '59fed433', durationMs: 9_204.75, firstMs: 812.4, status: 200 },
        { kind: 'tool', id: 'call_2_0', durationMs: 14.2 },
        { kind: 'wait', id: '59fed433', what: 'approval', durationMs: 14_320.5 },
        { kind: 'run', id: 'c15232cc', outcome: 'completed', filesModified: 1 },
      ]);
      const [few] = fold(createContext(narrow), events).states.values();
      expect(few).toMatchObject({ left: 2, moments: [{ kind: 'turn' }, { kind: 'tool' }] });
    }
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
