import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import {
  answers,
  runs,
  statuses,
  tools,
} from '../../../../collector/projections/timings/rollups.ts';
import { timings } from '../../../../collector/projections/timings.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, spendOf } from '../support/given.ts';
import { moved, moves } from '../support/given-moves.ts';

const at = '2026-11-22T10:00:00.000Z';

type Turn = Partial<Omit<EventData<'pi.turn.completed.v1'>, 'spend'>>;

function answer(data: Turn, spend: Parameters<typeof spendOf>[0] = {}, time = at): LedgerEvent {
  const quiet = { stopReason: 'stop', durationMs: null, timeToFirstTokenMs: null };
  return event('pi.turn.completed.v1', { at: time }, { ...quiet, ...data, spend: spendOf(spend) });
}

function timed(data: Partial<EventData<'pi.turn.timed.v1'>>): LedgerEvent {
  const model = { provider: 'anthropic', model: 'sonnet' };
  return event('pi.turn.timed.v1', { at }, { ...model, ...data });
}

function called(data: Partial<EventData<'pi.tool.completed.v1'>>): LedgerEvent {
  const quiet = { toolName: 'bash', isError: false, durationMs: null, paths: [], spend: null };
  return event('pi.tool.completed.v1', { at }, { ...quiet, ...data });
}

/** Measures of the only row that are not zero. */
function only(given: readonly LedgerEvent[], rollup: typeof answers) {
  const rows = Object.values(fold(timings, given, { isReloaded: true }).rows(rollup));
  expect(rows.length).toBeLessThanOrEqual(1);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, sum]) => sum !== 0n));
}

describe('answers', () => {
  it('count with their end, and with price and output only where there is a price', () => {
    const given = [
      answer({}, { outputTokens: 100, costNanoUsd: 7 }),
      answer({ stopReason: 'length' }, { outputTokens: 10, costNanoUsd: 3 }),
      answer({ stopReason: 'aborted' }, { reported: false, costNanoUsd: null }),
      answer({ stopReason: 'error' }, { reported: false, costNanoUsd: null }),
      answer({}, { outputTokens: 1_000, costNanoUsd: null, costSource: 'unpriced' }),
    ];
    expect(only(given, answers)).toEqual({
      answers: 5n,
      failedAnswers: 1n,
      abortedAnswers: 1n,
      cutOffAnswers: 1n,
      pricedOutputTokens: 110n,
      nanoUsd: 10n,
    });
  });

  it('take their times from the entry (omp), with the output of those that are timed', () => {
    const given = [
      answer({ durationMs: 2_000, timeToFirstTokenMs: 300.5 }, { outputTokens: 80 }),
      answer({ durationMs: 5, stopReason: 'error', timeToFirstTokenMs: null }),
      answer({}, { outputTokens: 1_000 }),
    ];
    expect(only(given, answers)).toMatchObject({
      timedOutputTokens: 80n,
      timedUs: 2_000_000n,
      durationUs: 2_000_000n,
      duration8: 1n,
      firstUs: 300_500n,
      first5: 1n,
    });
    expect(only(given, answers).duration0).toBeUndefined();
  });

  it('take their times from the running host where the entry has none (pi)', () => {
    const given = [
      answer({ entryId: 'e1' }, { outputTokens: 80 }),
      timed({ entryId: 'e1', durationMs: 2_000, timeToFirstByteMs: 12, outputTokens: 80 }),
      answer({ entryId: 'e2', durationMs: 2_000 }, { outputTokens: 20 }),
      timed({ entryId: 'e2', durationMs: null, timeToFirstByteMs: 12, outputTokens: 20 }),
      timed({ entryId: 'e3', durationMs: 9, timeToFirstByteMs: null, outputTokens: null }),
    ];
    expect(only(given, answers)).toMatchObject({
      answers: 2n,
      timedOutputTokens: 100n,
      timedUs: 4_000_000n,
      durationUs: 4_000_000n,
      duration8: 2n,
      first1: 2n,
    });
  });

  it('of older extensions say no output: their duration counts, their speed is not known', () => {
    const older = timed({ durationMs: 2_000, timeToFirstByteMs: 12 });
    const { outputTokens: _, ...data } = older.data as EventData<'pi.turn.timed.v1'>;
    const row = only([{ ...older, data } as LedgerEvent], answers);
    expect(row).toMatchObject({ durationUs: 2_000_000n });
    expect(row.timedUs).toBeUndefined();
  });

  it('are by billing, the model that was asked, and the local day', () => {
    const given = [
      attributed(at, { offset: -660, billing: { anthropic: 'subscription' } }),
      answer({}),
      answer({}, { provider: 'openai', model: null }),
    ];
    expect(fold(timings, given).sums(answers, 'answers', ...answers.dimensions)).toEqual({
      '2026-11-21,shop,ada,pi,anthropic,sonnet,subscription': 1n,
      '2026-11-21,shop,ada,pi,openai,,unknown': 1n,
    });
  });

  it('of a copy without its price are left out, as its owner has them', () => {
    const copy = { ...answer({}, { costNanoUsd: null, costSource: 'unpriced' }) };
    expect(only([{ ...copy, ownership: 'named' }], answers)).toEqual({});
    expect(only([{ ...copy, ownership: 'unsure' }], answers)).toEqual({ answers: 1n });
  });

  it('keep a duration in range, however long', () => {
    expect(only([answer({ durationMs: 1e300 })], answers)).toMatchObject({
      durationUs: 31_536_000_000_000n,
      duration14: 1n,
    });
  });
});

describe('errors and retries', () => {
  it('are by status where it is known, attempts and responses apart', () => {
    const model = { provider: 'anthropic', model: 'sonnet' };
    const given = [
      answer({ stopReason: 'error', errorStatus: 529 }),
      answer({ stopReason: 'error', errorStatus: null }),
      answer({ stopReason: 'error', errorStatus: 7 }),
      answer({ stopReason: 'stop', errorStatus: 400 }),
      event('pi.response.received.v1', { at }, { ...model, status: 529 }),
      event('pi.response.received.v1', { at }, { ...model, status: 200 }),
      event('pi.retry.scheduled.v1', { at }, model),
      event('pi.retry.scheduled.v1', { at }, model),
      event('pi.retry.ended.v1', { at }, { ...model, succeeded: false }),
      event('pi.retry.ended.v1', { at }, { ...model, succeeded: true }),
    ];
    const folded = fold(timings, given);
    expect(folded.rows(statuses, 'status')).toEqual({
      '': { failedAnswers: 2n, errorResponses: 0n },
      '529': { failedAnswers: 1n, errorResponses: 1n },
    });
    expect(only(given, answers)).toMatchObject({ retries: 2n, retriesGivenUp: 1n });
  });
});

describe('tools', () => {
  const sizes = { textChars: 100, thinkingChars: 0, toolCallChars: 0, otherChars: 20, images: 1 };

  it('count with failures, the size of results and the files that calls name', () => {
    const given = [
      called({ sizes, paths: ['a', 'b'] }),
      called({ sizes, isError: true }),
      called({ sizes, toolName: 'read' }),
    ];
    const { bash } = fold(timings, given).rows(tools, 'tool');
    expect(bash).toMatchObject({
      calls: 2n,
      failures: 1n,
      resultChars: 240n,
      resultImages: 2n,
      namedFiles: 2n,
      durationUs: 0n,
    });
  });

  const live = event('pi.tool.timed.v1', { at }, { toolName: 'bash', durationMs: 30 });
  const inEntry = called({ durationMs: 31 });

  it('take durations from the running host where entries have none', () => {
    expect(only([live, called({})], tools)).toMatchObject({
      calls: 1n,
      durationUs: 30_000n,
      duration2: 1n,
    });
  });

  it('never count a duration twice: where entries have them, they alone count', () => {
    for (const given of [
      [live, inEntry],
      [inEntry, live],
    ])
      expect(only(given, tools)).toMatchObject({ durationUs: 31_000n, duration2: 1n });
  });

  it('count live durations again when the entry turns out to be another session’s', () => {
    const given = [live, inEntry, ...moves(inEntry, 's2')];
    const sums = fold(timings, given).sums(tools, 'durationUs');
    expect(sums).toEqual({ '': 61_000n });
  });
});

describe('runs', () => {
  const run = (data: Partial<EventData<'pi.run.completed.v1'>>, time = at) =>
    event('pi.run.completed.v1', { at: time }, data);

  it('count by outcome and agent, and are listed one by one', () => {
    const given = [
      run({ turns: 3, toolCalls: { bash: 2, read: 1 }, filesModified: ['a'], durationMs: 100 }),
      run({ outcome: 'failed', errors: 4, attempts: 2, durationMs: 500_000 }),
    ];
    const folded = fold(timings, given);
    expect(folded.rows(runs, 'agent', 'outcome')).toMatchObject({
      ',completed': { runs: 1n, turns: 3n, toolCalls: 3n, filesModified: 1n, duration0: 1n },
      ',failed': { runs: 1n, errors: 4n, attempts: 2n, duration13: 1n },
    });
    expect(folded.states.get('s1')?.runs).toMatchObject([
      { time: at, turns: 3, toolCalls: 3, filesModified: 1, outcome: 'completed' },
      { outcome: 'failed', durationMs: 500_000 },
    ]);
  });
});

describe('what moves', () => {
  it('an answer that belongs to another session counts there', () => {
    const entry = answer({ durationMs: 100 });
    const given = [
      attributed(at, { project: 'one' }, 's1'),
      attributed(at, { project: 'other' }, 's2'),
      entry,
      ...moves(entry, 's2'),
      moved(entry, 'stay', 's1'),
    ];
    expect(fold(timings, given).sums(answers, 'answers', 'project')).toEqual({ other: 1n });
    expect(fold(timings, given).sums(answers, 'duration4', 'project')).toEqual({ other: 1n });
  });

  it('everything goes with a late attribution, by the quarter of an hour', () => {
    const given = [
      answer({}, {}, '2026-11-22T10:00:00.000Z'),
      answer({}, {}, '2026-11-22T10:14:00.000Z'),
      answer({}, {}, '2026-11-22T10:15:00.000Z'),
      called({}),
      event('pi.run.completed.v1', { at }),
      attributed('2026-11-22T09:00:00.000Z', { project: 'first' }),
      attributed('2026-11-22T10:14:30.000Z', { project: 'second' }),
      attributed('2026-11-22T10:20:00.000Z', { project: 'third' }),
    ];
    const folded = fold(timings, given);
    expect(folded.sums(answers, 'answers', 'project')).toEqual({ second: 2n, third: 1n });
    expect(folded.sums(tools, 'calls', 'project')).toEqual({ second: 1n });
    expect(folded.sums(runs, 'runs', 'project')).toEqual({ second: 1n });
  });
});

it('has no document for events that say nothing of this', () => {
  const given = [
    event('pi.prompt.submitted.v1', { at }),
    event('pi.response.received.v1', { at }, { status: 200 }),
    event('pi.retry.ended.v1', { at }, { succeeded: true }),
    event('pi.compaction.completed.v1', { at }),
    moved(answer({}), 'stay', 's1'),
  ];
  expect(fold(timings, given).documents()).toEqual({});
});
