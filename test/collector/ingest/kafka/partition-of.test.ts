/** What is stored was divided by this function: its values never change. */
import { expect, it } from 'vitest';
import { partitionOf } from '../../../../collector/ingest/kafka/partition-of.ts';

const turn = (subject: string) => ({ type: 'pi.turn.completed.v1', subject }) as const;

it.each([
  ['', 11],
  ['a', 51],
  ['0199f2a4-6a2e-7c11-8f9e-111111111111', 51],
  ['séance', 14],
])('puts the session "%s" into cell %i of 64', (subject, cell) => {
  expect(partitionOf(turn(subject), 64)).toBe(cell);
  expect(partitionOf(turn(subject), 1)).toBe(0);
});

it('puts what is said of budgets into the first cell', () => {
  expect(partitionOf({ type: 'pi.budget.crossed.v1', subject: 'a' }, 64)).toBe(0);
});

it('gives each cell its share of sessions', () => {
  const counts = new Array<number>(8).fill(0);
  for (let session = 0; session < 8_000; session += 1) {
    const cell = partitionOf(turn(`session-${session}`), 8);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
