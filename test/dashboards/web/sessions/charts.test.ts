/** The charts of a session: one axis for all, a path for each series. */
import { describe, expect, it } from 'vitest';
import {
  bandPaths,
  costliest,
  costPaths,
} from '../../../../dashboards/web/views/sessions/chart/bars.ts';
import { findSpans, nextFind } from '../../../../dashboards/web/views/sessions/chart/find.ts';
import { lanePaths } from '../../../../dashboards/web/views/sessions/chart/lanes.ts';
import { slotsOf } from '../../../../dashboards/web/views/sessions/chart/slots.ts';
import { spansOf } from '../../../../dashboards/web/views/sessions/chart/spans.ts';
import { timeScale } from '../../../../dashboards/web/views/sessions/chart/time-scale.ts';
import { costOf, itemOf, pointOf, second } from '../support/session-answers.ts';

/** Two turns with a call between, ten minutes of nothing, and a third. */
const items = [
  itemOf({ kind: 'prompt', entryId: 'p1', time: second(0) }),
  itemOf({ entryId: 't1', time: second(10), startedAt: second(0), firstTokenMs: 2_000, turn: 1 }),
  itemOf({ kind: 'tool', entryId: 'r1', time: second(15), name: 'bash' }),
  itemOf({ entryId: 't2', time: second(20), turn: 2 }),
  itemOf({ kind: 'prompt', entryId: 'p2', time: second(620) }),
  itemOf({ entryId: 't3', time: second(640), startedAt: second(620), turn: 3, failed: true }),
];
const points = [
  pointOf({ entryId: 't1', turn: 1, time: second(10) }),
  pointOf({ entryId: 't2', turn: 2, time: second(20) }),
  pointOf({ entryId: 't3', turn: 3, time: second(640), source: 'unknown', tokens: null }),
];
const spans = spansOf(items);
const slots = slotsOf(points, spans);
const at = (seconds: number) => Date.parse(second(seconds));
const boxesIn = (path: string | undefined) => (path ?? '').split('M').slice(1);

describe('the time of an item', () => {
  it('begins where the one before ended, where no host told it', () => {
    expect(spans.map(({ from, to }) => [(from - at(0)) / 1_000, (to - at(0)) / 1_000])).toEqual([
      [0, 0],
      [0, 10],
      [10, 15],
      [15, 20],
      [620, 620],
      [620, 640],
    ]);
  });

  it('does not count the idle time before a prompt as work', () => {
    const [, late] = spansOf([itemOf({ time: second(0) }), itemOf({ time: second(5_000) })]);
    expect(late?.from).toBe(at(4_400));
  });
});

describe('the x axis', () => {
  it('along turns has columns of one width, each from its request to the next', () => {
    const scale = timeScale(slots, 'turns', 90);
    expect([0, 1, 2].map(scale.column)).toEqual([
      [0, 30],
      [30, 60],
      [60, 90],
    ]);
    expect([at(0), at(15), at(20), at(300), at(620), at(640)].map(scale.x)).toEqual([
      0, 30, 60, 60, 60, 90,
    ]);
    expect(scale.x(at(10))).toBeCloseTo(20);
    expect([0, 29, 31, 89, 500].map(scale.columnAt)).toEqual([0, 0, 1, 2, 2]);
    expect(scale.folds).toEqual([]);
  });

  it('along time is in proportion, with idle folded', () => {
    const scale = timeScale(slots, 'time', 94);
    expect(scale.folds).toEqual([{ x: 47, ms: 600_000 }]);
    expect([at(0), at(10), at(20), at(620), at(640)].map(scale.x)).toEqual([0, 20, 40, 54, 94]);
  });

  it('gives a point that stands for several turns as much room as they have', () => {
    const thin = [pointOf({ entryId: 'x', turn: 9, turnsCovered: 9 }), pointOf({ turn: 10 })];
    const scale = timeScale(slotsOf(thin, []), 'turns', 100);
    expect(scale.column(0)).toEqual([0, 90]);
  });

  it('begins a column of merged turns where the one before ended', () => {
    const thin = [10, 20, 30].map((turn) =>
      pointOf({ entryId: `m${turn}`, turn, time: second(turn), turnsCovered: 10 }),
    );
    const merged = itemOf({ kind: 'merged', entryId: 'm', startedAt: second(0), time: second(30) });
    const [first, next, last] = slotsOf(thin, spansOf([merged]));
    expect([first?.from, next?.from, last?.from]).toEqual([at(0), at(10), at(20)]);
    expect([first?.to, next?.to, last?.to]).toEqual([at(10), at(20), at(30)]);
  });

  it('has no column without turns', () => {
    expect(timeScale([], 'time', 100).columnAt(4)).toBeNull();
    expect(timeScale([], 'turns', 100).columnAt(4)).toBeNull();
  });
});

describe('the marks', () => {
  const scale = timeScale(slots, 'turns', 90);
  const y = (value: number) => 100 - value;

  it('are one path for each part of what was sent, on top of each other', () => {
    const drawn = bandPaths(slots, scale, y);
    expect(drawn.map(({ series, path }) => [series.name, boxesIn(path).length])).toEqual([
      ['system', 2],
      ['answers', 0],
      ['toolResults', 2],
      ['prompts', 2],
      ['unexplained', 2],
    ]);
    expect(boxesIn(drawn[0]?.path)[0]).toBe('0 60h29.2v40h-29.2z');
    expect(boxesIn(drawn[4]?.path)[0]).toBe('0 0h29.2v30h-29.2z');
  });

  it('show one kind of billing, and what reported nothing as a stub', () => {
    const mixed = slotsOf(
      [
        pointOf({
          byBilling: { metered: costOf(2_000_000_000), subscription: costOf(7_000_000_000) },
        }),
        pointOf({ entryId: 't2', byBilling: { metered: costOf(0, { unreportedRecords: 1 }) } }),
      ],
      [],
    );
    const axis = timeScale(mixed, 'turns', 90);
    expect([costliest(mixed, 'metered'), costliest(mixed, 'subscription')]).toEqual([2, 7]);
    const drawn = costPaths(mixed, axis, (usd) => 100 - 10 * usd, { billing: 'metered', least: 1 });
    const pathOf = (name: string) => drawn.find(({ series }) => series.name === name)?.path;
    expect(boxesIn(pathOf('input'))).toEqual(['0 80h44.2v20h-44.2z']);
    expect(boxesIn(pathOf('unreported'))).toEqual(['45 90h44.2v10h-44.2z']);
  });

  it('stand in lanes: light until the first token, failed attempts with the retries', () => {
    const lanes = new Map(lanePaths(spans, scale).map(({ look, path }) => [look, boxesIn(path)]));
    expect(lanes.get('prompt')).toHaveLength(2);
    expect(lanes.get('s5')).toEqual(['0 22h4v11h-4z']);
    expect(lanes.get('s1')).toEqual(['4 22h16v11h-16z', '30 22h30v11h-30z']);
    expect(lanes.get('s2')).toEqual(['20 40h10v11h-10z']);
    expect(lanes.get('failed')).toEqual(['60 58h30v11h-30z']);
  });
});

describe('what is looked for in the time line', () => {
  it('is what has the letters in its name, whatever their case, with its turn', () => {
    const calls = [1, 2, 3].map((turn) =>
      itemOf({
        kind: 'tool',
        entryId: `r${turn}`,
        time: second(turn * 10 + 5),
        name: turn === 2 ? 'read' : 'Bash',
      }),
    );
    const turns = [1, 2, 3].map((turn) =>
      itemOf({
        entryId: `t${turn}`,
        time: second(turn * 10),
        startedAt: second(turn * 10 - 1),
        turn,
      }),
    );
    const mixed = turns.flatMap((turn, index) => [turn, ...calls.slice(index, index + 1)]);
    const all = spansOf(mixed);
    const columns = slotsOf(
      [1, 2, 3].map((turn) => pointOf({ entryId: `t${turn}`, turn, time: second(turn * 10) })),
      all,
    );
    const found = findSpans(' bash', all, columns);
    expect(found?.map(({ span }) => span.item.time)).toEqual([second(15), second(35)]);
    expect(found?.map(({ turn }) => turn)).toEqual([1, 3]);
    const models = findSpans(turns[0]?.name ?? '', all, columns);
    expect(models?.map(({ turn }) => turn)).toEqual([1, 2, 3]);
  });

  it('is gone through forwards and backwards, round about', () => {
    expect([null, 0, 1].map((at) => nextFind(2, at, 1))).toEqual([0, 1, 0]);
    expect([null, 0, 1].map((at) => nextFind(2, at, -1))).toEqual([1, 1, 0]);
    // What was found last is no longer there.
    expect(nextFind(2, 7, 1)).toBe(0);
    expect(nextFind(0, null, 1)).toBeNull();
  });

  it('is nothing without letters, and none where no name has them', () => {
    expect(findSpans('  ', spans, slots)).toBeNull();
    expect(findSpans('nobody', spans, slots)).toEqual([]);
  });
});
