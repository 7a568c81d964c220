/** Any events in two orders, and limits that are reached. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnfoldableError } from '../../../../collector/projections/projection.ts';
import { noRules } from '../../../../collector/projections/rules.ts';
import {
  answers,
  runs,
  statuses,
  tools,
} from '../../../../collector/projections/timings/rollups.ts';
import { createTimings, type TimingsLimits } from '../../../../collector/projections/timings.ts';
import { documentBytesMax } from '../../../../collector/subscription/guard.ts';
import { anyEvent, inTwoOrders } from '../support/any-event.ts';
import { fold } from '../support/fold.ts';
import { attributed, event } from '../support/given.ts';
import { maybeMoved, measuredOrMoved } from './measured-events.ts';

const wide: TimingsLimits = {
  attributionsMax: 1_000,
  linesMax: 150,
  cellsMax: 3_000,
  longCellsMax: 8_000,
  runsMax: 200,
};
const limits = {
  wide,
  narrow: { ...wide, attributionsMax: 3, cellsMax: 2, runsMax: 2 },
  'few lines': { ...wide, linesMax: 2, cellsMax: 0 },
};

const anything = fc.oneof(
  { weight: 3, arbitrary: measuredOrMoved },
  { weight: 1, arbitrary: anyEvent.chain(maybeMoved) },
);

describe.each(Object.entries(limits))('timings, whatever the order (%s)', (_name, each) => {
  const projection = createTimings(noRules, each);

  it('gives the same documents and the same rows', () => {
    fc.assert(
      fc.property(inTwoOrders(anything), ([given, shuffled]) => {
        const [one, other] = [
          fold(projection, given),
          fold(projection, shuffled, { isReloaded: true }),
        ];
        expect(other.documents()).toEqual(one.documents());
        for (const rollup of [answers, statuses, tools, runs])
          expect(other.rows(rollup, ...rollup.dimensions)).toEqual(
            one.rows(rollup, ...rollup.dimensions),
          );
      }),
      { numRuns: 200 },
    );
  });

  it('emits from its documents, sealed or not, what it emitted event by event', () => {
    fc.assert(
      fc.property(inTwoOrders(anything), ([given]) => {
        const folded = fold(projection, given);
        const sealed = Object.entries(folded.documents()).map(([key, body]) => {
          const state = projection.sealing?.open(body, projection.version);
          if (state === undefined || state === null) throw new Error(`${key} cannot be opened`);
          return state;
        });
        const sums = new Map<string, bigint[]>();
        for (const state of sealed)
          projection.sealing?.emit(state, (rollup, dimensions, measures) => {
            const key = JSON.stringify([rollup.name, ...dimensions]);
            const known = sums.get(key) ?? rollup.measures.map(() => 0n);
            sums.set(
              key,
              known.map((sum, index) => sum + BigInt(measures[index] ?? 0)),
            );
          });
        for (const rollup of [answers, statuses, tools, runs]) {
          const rows = Object.entries(folded.rows(rollup, ...rollup.dimensions));
          const emitted = [...sums].filter(
            ([key, sum]) =>
              key.startsWith(`["${rollup.name}"`) && sum.some((amount) => amount !== 0n),
          );
          expect(emitted.length).toBe(rows.length);
          const total = (all: readonly (readonly bigint[])[]) =>
            rollup.measures.map((_, index) =>
              all.reduce((sum, row) => sum + (row[index] ?? 0n), 0n),
            );
          expect(total(emitted.map(([, sum]) => sum))).toEqual(
            total(rows.map(([, row]) => Object.values(row))),
          );
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('timings at their limits', () => {
  const at = (minutes: number) => new Date(1_795_300_000_000 + minutes * 60_000).toISOString();
  const call = (toolName: string, minutes = 0) =>
    event('pi.tool.completed.v1', { at: at(minutes) }, { toolName, durationMs: null });

  it('count the alphabetically last tools as one', () => {
    const projection = createTimings(noRules, { ...wide, linesMax: 2 });
    const given = ['d', 'a', 'c', 'b', 'a', 'd'].map((name) => call(name));
    for (const events of [given, given.toReversed()])
      expect(fold(projection, events).sums(tools, 'calls', 'tool')).toEqual({
        '(other)': 3n,
        a: 2n,
        b: 1n,
      });
  });

  it('list the newest runs', () => {
    const projection = createTimings(noRules, { ...wide, runsMax: 2 });
    const given = [5, 1, 9].map((minutes) => event('pi.run.completed.v1', { at: at(minutes) }));
    for (const events of [given, given.toReversed()]) {
      const listed = fold(projection, events).states.get('s1')?.runs ?? [];
      expect(listed.map(({ time: ended }) => ended)).toEqual([at(5), at(9)]);
    }
  });

  it('set aside what would be one hour of work too many, and go on', () => {
    const small = { ...wide, cellsMax: 1, longCellsMax: 2 };
    const projection = createTimings(noRules, small);
    const given = [call('a'), call('b'), attributed(at(0))];
    const [state] = fold(projection, given).states.values();
    if (state === undefined) throw new Error('there is one');
    const stored = { position: 9, receivedAtMs: 0, event: call('c') };
    const before = projection.encode(state);
    expect(() => projection.evolve(state, stored, () => undefined)).toThrow(UnfoldableError);
    expect(projection.encode(state)).toBe(before);
  });

  it('stay within a document with everything at its limit', () => {
    const cells = Array.from({ length: wide.longCellsMax }, (_, index) => index);
    const projection = createTimings(noRules, { ...wide, cellsMax: 0 });
    const [state] = fold(projection, [call('a')]).states.values();
    if (state === undefined) throw new Error('there is one');
    const full = state.cells.tables.answers;
    const line = {
      name: ['p'.repeat(500), 'm'.repeat(500)],
      named: {},
      cells: new Map(),
      row: null,
      timed: null,
    };
    full.lines.set('p', line);
    for (const minute of cells)
      line.cells.set(minute, {
        minute: 30_000_000 + minute,
        amounts: answers.measures.map(() => Number.MAX_SAFE_INTEGER),
        row: null,
      });
    expect(Buffer.byteLength(projection.encode(state))).toBeLessThan(documentBytesMax / 2);
  });
});
