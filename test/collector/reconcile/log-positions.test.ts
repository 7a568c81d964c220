import { describe, expect, it } from 'vitest';
import { createLogPositions } from '../../../collector/reconcile/log-positions.ts';

const cell = 2 ** 44;

describe('positions of the log', () => {
  it.each([
    ['none, of an empty log', [], 0, null],
    ['none', [1, 2, 3], 0, null],
    ['the first', [2, 3], 1, 1],
    ['some in between', [1, 4, 5, 9], 5, 2],
    ['none, where the next cell begins', [1, 2, cell + 1, cell + 2], 0, null],
    ['none, where cells have nothing', [3 * cell + 1], 0, null],
    ['some of another cell', [1, cell + 2, cell + 4], 2, cell + 1],
  ])('miss %s', (_what, positions, missing, firstMissing) => {
    const read = createLogPositions();
    for (const position of positions) read.add(position);
    expect({ missing: read.missing, first: read.firstMissing }).toEqual({
      missing,
      first: firstMissing,
    });
  });
});
