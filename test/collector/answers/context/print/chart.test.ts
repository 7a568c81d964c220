import type { ContextPoint } from '@pi-ledger/contract/answers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawContext } from '../../../../../collector/answers/context/print/chart.ts';
import { drawComposition } from '../../../../../collector/answers/context/print/composition-bar.ts';

const threshold = {
  windowTokens: 200_000,
  reserveTokens: 199_900,
  thresholdTokens: 100,
  source: 'host' as const,
};
const point = (
  turn: number,
  tokens: number | null,
  more: Partial<ContextPoint> = {},
): ContextPoint => ({
  kind: 'turn',
  turn,
  entryId: `entry ${turn}`,
  time: '2026-11-22T08:00:00.000Z',
  tokens,
  heldTokens: null,
  source: 'provider',
  freshTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  growthTokens: null,
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  threshold: null,
  untilThresholdTokens: null,
  ...more,
});

const anyPoints = fc
  .array(
    fc.tuple(
      fc.option(fc.nat(200_000)),
      fc.constantFrom(
        'turn' as const,
        'turn' as const,
        'compaction' as const,
        'branchSummary' as const,
      ),
    ),
    { maxLength: 400 },
  )
  .map((steps) => {
    let turn = 0;
    return steps.map(([tokens, kind]) => {
      if (kind === 'turn') turn += 1;
      return point(turn, tokens, { kind, threshold });
    });
  });

describe('the chart of a context', () => {
  it('never exceeds its width, however many turns there are', () => {
    fc.assert(
      fc.property(anyPoints, fc.integer({ min: 40, max: 200 }), (points, width) => {
        const lines = drawContext(points, width);
        for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('draws the threshold, unless it would flatten the chart', () => {
    const lines = drawContext([point(1, 50, { threshold }), point(2, 80, { threshold })], 40);
    expect(lines[0]).toBe('100 ┤╌╌╌╌╌╌╌╌');
    expect(drawContext([point(1, 5, { threshold })], 40).join('\n')).not.toContain('╌');
  });

  it('keeps every compaction visible, however many turns share a column', () => {
    const turns = Array.from({ length: 5_000 }, (_, index) =>
      point(index + 1, 1_000 + (index % 100)),
    );
    const points = [
      ...turns.slice(0, 2_500),
      point(2_500, null, { kind: 'compaction' }),
      ...turns.slice(2_500),
    ];
    const marks = drawContext(points, 80).at(-2) ?? '';
    expect(marks.trim()).toBe('▲');
    expect(marks.indexOf('▲')).toBeGreaterThan(38);
    expect(marks.indexOf('▲')).toBeLessThan(46);
  });

  it('draws nothing without figures', () => {
    expect(drawContext([], 80)).toEqual([]);
    expect(drawContext([point(1, null)], 80)).toEqual([]);
  });
});

describe('the bar of a composition', () => {
  it('fills its width, and shows each part in proportion', () => {
    const parts = fc.uniqueArray(
      fc.record({
        kind: fc.constant('toolResults'),
        name: fc.string({ maxLength: 5 }),
        tokens: fc.integer({ min: 1, max: 9_999 }),
      }),
      {
        selector: ({ name }) => name,
        minLength: 1,
        maxLength: 15,
      },
    );
    fc.assert(
      fc.property(parts, fc.integer({ min: 10, max: 160 }), (some, width) => {
        const total = some.reduce((sum, { tokens }) => sum + tokens, 0);
        const [bar = '', ...legend] = drawComposition(some, total, width);
        expect(bar.length).toBe(width);
        expect(legend.length).toBe(Math.min(some.length, 9));
      }),
    );
  });

  it('names the parts for people, and puts many small ones together', () => {
    const parts = Array.from({ length: 12 }, (_, index) => ({
      kind: 'toolResults',
      name: `tool${index}`,
      tokens: 100 - index,
    }));
    const lines = drawComposition(
      [{ kind: 'system', name: '', tokens: 1_000 }, ...parts],
      2_134,
      40,
    );
    expect(lines[1]).toBe('█ system prompt     1,000   46.9 %');
    expect(lines.at(-1)).toMatch(/^o 5 more +455 +21\.3 %$/);
  });
});
