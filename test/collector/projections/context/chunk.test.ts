import { describe, expect, it } from 'vitest';
import { chunkKey, createChunk } from '../../../../collector/projections/context/chunk.ts';
import { context, createContext } from '../../../../collector/projections/context.ts';
import { fold } from '../support/fold.ts';
import { event, turn } from '../support/given.ts';

const at = '2026-11-22T09:12:00.000Z';
const before = '2026-11-22T09:10:30.000Z';
const after = '2026-11-22T09:19:00.000Z';

describe('a chunk of the context', () => {
  it('begins empty, and knows its session and its ten minutes by its key', () => {
    expect(createChunk(chunkKey('s1/x', at))).toEqual({
      session: 's1/x',
      bucket: '2026-11-22T09:1',
      firstAt: '',
      lastAt: '',
      events: 0,
      entries: [],
      summaries: [],
      timed: [],
      failed: [],
      samples: [],
      limits: [],
      fixtures: [],
      windows: new Map(),
      moments: [],
      left: 0,
    });
  });

  it.each([
    [[before, at, after]],
    [[after, at, before]],
    [[at, after, before]],
    [[at, before, after]],
  ])('reaches from the first of its events to the last: %j', (times) => {
    const [chunk] = fold(
      context,
      times.map((time) => turn(time)),
    ).states.values();
    const columns = chunk && context.columnsOf(chunk);
    expect(columns).toMatchObject({ startedAt: before, lastSeenAt: after });
  });

  it('is opened from a seal of every version, and of no other', () => {
    const text = context.encode(createChunk(chunkKey('s1', at)));
    expect(context.sealing?.open(text, 1)).toEqual(createChunk(chunkKey('s1', at)));
    expect(context.sealing?.open(text, 2)).toEqual(createChunk(chunkKey('s1', at)));
    expect(context.sealing?.open(text, 3)).toEqual(createChunk(chunkKey('s1', at)));
    expect(context.sealing?.open(text, 4)).toEqual(createChunk(chunkKey('s1', at)));
    expect(context.sealing?.open(text, 5)).toBeNull();
  });

  it('is opened from a seal that knew no moments, with nulls for what answers did not say', () => {
    const [chunk] = fold(context, [turn(at)]).states.values();
    const { moments: _, ...text } = JSON.parse(context.encode(chunk as never));
    const entries = text.entries.map((entry: unknown[]) => entry.slice(0, 19));
    const opened = context.sealing?.open(JSON.stringify({ ...text, entries }), 2);
    expect(opened?.moments).toEqual([]);
    expect(opened?.entries[0]).toMatchObject({
      kind: 'turn',
      outputNanoUsd: null,
      requestedAtMs: null,
      durationMs: null,
    });
  });

  it('writes its windows in the order of their models, whatever came first', () => {
    const samples = ['b', 'c', 'a'].map((model) =>
      event('pi.context.sampled.v1', { at }, { provider: 'p', model, windowTokens: 200_000 }),
    );
    const [text] = Object.values(fold(context, samples).documents());
    const windows = JSON.parse(text ?? '{}').windows as { model: string }[];
    expect(windows.map(({ model }) => model)).toEqual(['a', 'b', 'c']);
  });

  it('keeps a change of the model whose role has the name of a move', () => {
    const given = event('pi.model.changed.v1', { at }, { role: 'out' });
    const [chunk] = fold(context, [given]).states.values();
    expect(chunk?.entries).toMatchObject([{ kind: 'model', role: 'out' }]);
  });

  it('counts each fact of a sample that it has no room for', () => {
    const none = {
      entriesMax: 0,
      summariesMax: 0,
      momentsMax: 0,
      liveMax: 0,
      windowsMax: 1,
      toolPathsMax: 0,
      summaryPathsMax: 0,
      pathCharsMax: 0,
    };
    const sample = { source: 'estimate', limitsSource: 'files', tools: 3 } as const;
    const given = event('pi.context.sampled.v1', { at }, sample as never);
    const [chunk] = fold(createContext(none), [given]).states.values();
    expect(chunk).toMatchObject({ left: 3, samples: [], limits: [], fixtures: [] });
  });
});
