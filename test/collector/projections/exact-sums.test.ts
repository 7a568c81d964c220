/**
 * Sums of very many small amounts, in a file of their own because they take longer than all other
 * tests here.
 */
import { type SpendKey, spendDimensions } from '@pi-ledger/contract/spend-shape';
import { describe, expect, it } from 'vitest';
import { rowKey } from '../../../collector/projections/projection.ts';
import { allLines } from '../../../collector/projections/session/cells.ts';
import { measuresOf, usage } from '../../../collector/projections/usage.ts';
import { createDeltas } from '../../../collector/subscription/deltas.ts';
import { readSpend as recordedSpendOf } from '../../../core/record/spend.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { turn } from './support/given.ts';

describe('very many small amounts', () => {
  const cheapest = recordedSpendOf(
    { input: 1, cost: { total: 0.0000013 } },
    { provider: 'p', api: null, model: 'm', responseModel: null, responseId: null },
  );

  it('10 million records of $0.0000013 add up exactly to the last nano-dollar', () => {
    const recordsCount = 10_000_000;
    const deltas = createDeltas();
    const nowhere = Object.fromEntries(spendDimensions.map((name) => [name, '']));
    const row = rowKey(usage, nowhere as unknown as SpendKey);
    const record = measuresOf(cheapest, 'turn');
    for (let count = 0; count < recordsCount; count++) deltas.emit(usage, row, record);
    const [{ measures = [] } = {}] = deltas.take();
    expect(measures[usage.measures.indexOf('nanoUsd')]).toBe(13_000_000_000n);
    expect(measures[usage.measures.indexOf('records')]).toBe(10_000_000n);
  });

  it('A session’s own sums are the same integers', () => {
    const minutes = [
      turn('2026-11-22T10:00:00.000Z', cheapest),
      turn('2026-11-22T10:01:00.000Z', cheapest),
    ];
    const state = fold(sessions, Array.from({ length: 10_000 }, () => minutes).flat()).states.get(
      's1',
    );
    const cells = (state === undefined ? [] : [...allLines(state.spending)]).flatMap((line) => [
      ...line.cells.values(),
    ]);
    expect(cells.map(({ amounts }) => amounts[usage.measures.indexOf('nanoUsd')])).toEqual([
      13_000_000, 13_000_000,
    ]);
  });
});
