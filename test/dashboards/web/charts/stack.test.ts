import { describe, expect, it } from 'vitest';
import { stackPaths, stackScale, usualPath } from '../../../../dashboards/web/charts/stack.ts';

const series = [
  { name: 'a', class: 's1', above: [30, 0], below: [0, 10], open: [] },
  { name: 'b', class: 's2', above: [10, 20], below: [0, 0], open: [] },
] as const;
const column = { width: 10, x: (index: number) => index * 10 };

describe('stacked bars', () => {
  const scale = stackScale(series, [null, null], 500);

  it('share one scale: from the highest column to the lowest', () => {
    expect([scale(40), scale(0), scale(-10)]).toEqual([0, 400, 500]);
  });

  it('are one path for each series and direction, the first next to the line', () => {
    const { above, below } = stackPaths(series, scale, column);
    expect(above).toEqual(['M0.9 101h8.2v299h-8.2z', 'M0.9 1h8.2v99h-8.2zM10.9 201h8.2v199h-8.2z']);
    expect(below).toEqual(['M10.9 401h8.2v99h-8.2z', '']);
  });

  it('have what nobody said how it is paid under what a subscription covers', () => {
    const three = series.map((each, index) => ({ ...each, open: index === 0 ? [0, 20] : [5, 10] }));
    const wide = stackScale(three, [null, null], 800);
    expect([wide(40), wide(0), wide(-40)]).toEqual([0, 400, 800]);
    const { below, open } = stackPaths(three, wide, column);
    expect(below).toEqual(['M10.9 401h8.2v99h-8.2z', '']);
    expect(open).toEqual([
      'M10.9 501h8.2v199h-8.2z',
      'M0.9 401h8.2v49h-8.2zM10.9 701h8.2v99h-8.2z',
    ]);
  });

  it('leave room for what is usual, which has a line where it is known', () => {
    const usual = [null, 90];
    const higher = stackScale(series, usual, 1_000);
    expect(higher(90)).toBe(0);
    expect(usualPath(usual, higher, column)).toBe('M11 0h8');
  });

  it('have a scale where nothing was spent', () => {
    const empty = stackScale([], [], 100);
    expect([empty(0), empty(1)]).toEqual([100, 0]);
  });
});
