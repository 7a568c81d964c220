import { describe, expect, it } from 'vitest';
import { linearScale, logScale } from '../../../../dashboards/web/charts/scale.ts';

describe('a linear scale', () => {
  it('leads from amounts to pixels and back, with round values between', () => {
    const scale = linearScale([0, 50], [100, 0]);
    expect([scale(0), scale(25), scale(50), scale.invert(50)]).toEqual([100, 50, 0, 25]);
    expect(scale.ticks(5)).toEqual([0, 10, 20, 30, 40, 50]);
    expect(linearScale([0, 47], [0, 1], 4).domain()).toEqual([0, 50]);
  });
});

describe('a logarithmic scale', () => {
  it('gives each power as much room, and keeps what is beyond at the ends', () => {
    const scale = logScale([1, 100], [0, 200]);
    expect([scale(1), scale(10), scale(100)]).toEqual([0, 100, 200]);
    expect([scale(0), scale(1_000)]).toEqual([0, 200]);
    expect(scale.invert(100)).toBeCloseTo(10);
    expect(scale.ticks(3)[0]).toBe(1);
  });
});
