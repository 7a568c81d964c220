import { describe, expect, it } from 'vitest';
import { changesBetween } from '../../../../../collector/answers/compactions/audits/changes.ts';
import { joinedPosition } from '../../../../../collector/cells/log/cell-positions.ts';
import { damagedEvent, type StoredEvent } from '../../../../../collector/log/stored-event.ts';
import { event } from '../../../projections/support/given.ts';

const at = '2026-11-22T09:00:00.000Z';

/** Of two cells; `gone` were deleted. */
function logOf(counts: readonly number[], gone: readonly number[] = []) {
  const all = counts.flatMap((count, cell) =>
    Array.from({ length: count }, (_, index): StoredEvent => {
      const position = joinedPosition({ cell, position: index + 1 });
      const type = index % 2 === 0 ? 'pi.compaction.completed.v1' : 'pi.turn.completed.v1';
      const session = `c${cell}-s${index + 1}`;
      return { position, receivedAtMs: 0, event: event(type, { at, session }) };
    }),
  );
  const read = async (after: number, limit: number) =>
    all
      .filter(({ position }) => position > after && !gone.includes(position))
      .slice(0, Math.min(limit, 3));
  return { read };
}

const positions = (...cells: readonly (readonly number[])[]) => ({
  generations: 'g',
  parts: cells.map((of, cell) => of.map((position) => joinedPosition({ cell, position }))),
});

describe('what changed between two positions of the views', () => {
  it('is what the events between them name, in each cell', async () => {
    const changes = await changesBetween(
      logOf([9, 4]),
      positions([4, 2, 3], [4, 4, 4]),
      positions([6, 6, 6], [4, 4, 4]),
    );
    expect([...(changes?.sessions ?? [])]).toEqual(['c0-s3', 'c0-s4', 'c0-s5', 'c0-s6']);
    expect(changes?.rows.size).toBe(2);
  });

  it('is nothing where no view has moved, and no event is read', async () => {
    const none = { read: () => Promise.reject(new Error('read')) };
    const changes = await changesBetween(none, positions([4, 4, 4]), positions([4, 4, 4]));
    expect(changes).toEqual({ sessions: new Set(), rows: new Set() });
  });

  it('does not count what is damaged: it is in no view', async () => {
    const stored = damagedEvent({ position: 1, receivedAtMs: 0, eventId: 'e' }, 'damaged');
    const log = { read: async () => [stored] };
    const changes = await changesBetween(log, positions([0, 0, 0]), positions([1, 1, 1]));
    expect(changes?.sessions.size).toBe(0);
  });

  it.each([
    ['an event of them was deleted', logOf([9], [5]), positions([8, 8, 8])],
    ['the last of them was deleted', logOf([9, 9], [8]), positions([8, 8, 8])],
    ['the log ends before', logOf([7]), positions([8, 8, 8])],
    ['there are too many', logOf([9]), positions([20_000, 20_000, 20_000])],
    ['a view was folded anew', logOf([9]), { generations: 'h', parts: [[8, 8, 8]] }],
    ['the store was put back', logOf([9]), positions([8, 8, 3])],
  ])('is not known where %s', async (_, log, to) => {
    expect(await changesBetween(log, positions([4, 4, 4]), to)).toBeNull();
  });
});
