/** Others get the thread while a list is gone through. */
import { expect, it } from 'vitest';
import { inTurns } from '../../../collector/timers/in-turns.ts';
import { keepThread, mostInATurn, turnsOfOthers } from '../support/turns.ts';

it('after some hundred items', async () => {
  let visited = 0;
  const items = Array.from({ length: 2_000 }, (_, index) => index);
  const visit = () => {
    visited += 1;
  };
  expect(
    await mostInATurn(
      () => inTurns(items, visit),
      () => visited,
    ),
  ).toBeLessThanOrEqual(250);
  expect(visited).toBe(2_000);
});

it('after some milliseconds where items are costly', async () => {
  const visit = () => keepThread(3);
  expect(await turnsOfOthers(() => inTurns(Array(50).fill(0), visit))).toBeGreaterThan(2);
});
