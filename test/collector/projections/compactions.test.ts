import { describe, expect, it } from 'vitest';
import { type AuditLocation, compactions } from '../../../collector/projections/compactions.ts';
import { fold } from './support/fold.ts';
import { event, turn } from './support/given.ts';
import { moved } from './support/given-moves.ts';

const at = '2026-11-22T09:00:00.000Z';
const given = [
  event('pi.compaction.completed.v1', { at }, { entryId: 'c1' }),
  event('pi.branch.summarized.v1', { at, session: 's2' }, { entryId: 'b1' }),
  event('pi.compaction.failed.v1', { at }),
  event('pi.compaction.timed.v1', { at }),
  turn(at),
];

describe('compactions', () => {
  it('has a place for each row of the audit, by the id of its event', () => {
    const [completed, branch, failed] = given;
    expect([...fold(compactions, given).states.values()]).toEqual([
      { id: completed?.id, session: 's1', time: at, kind: 'compaction', entryId: 'c1' },
      { id: branch?.id, session: 's2', time: at, kind: 'branchSummary', entryId: 'b1' },
      { id: failed?.id, session: 's1', time: at, kind: 'failure', entryId: '' },
    ]);
  });

  it('is the same whatever the order, through its text, and sealed', () => {
    const [one, other] = [
      fold(compactions, given),
      fold(compactions, given.toReversed(), { isReloaded: true }),
    ];
    expect(other.documents()).toEqual(one.documents());
    const [state] = one.states.values();
    expect(state && compactions.sealing?.open(compactions.encode(state), 1)).toEqual(state);
    expect(compactions.sealing?.open('{}', 2)).toBeNull();
  });

  it('keeps no text of what was summarized', () => {
    expect(JSON.stringify([...fold(compactions, given).states.values()])).not.toContain('Goal');
  });
});

describe('a row of which two cells know', () => {
  const entry = event('pi.compaction.completed.v1', { at }, { entryId: 'c1' });
  function known() {
    const [gone] = fold(compactions, [entry, moved(entry, 'out', 's1')]).states.values();
    const [there] = fold(compactions, [moved(entry, 'in', 's2')]).states.values();
    const [other] = fold(compactions, [moved(entry, 'in', 's3')]).states.values();
    return { gone, there, other };
  }

  function joined(left: AuditLocation | undefined, right: AuditLocation | undefined) {
    if (left === undefined || right === undefined) throw new Error('there are two');
    return compactions.joining?.join({ state: left } as never, { state: right } as never).state;
  }

  it('says that its session no longer has it', () => {
    const { gone, there } = known();
    expect(gone).toMatchObject({ session: 's1', movedOut: true });
    expect(there).not.toHaveProperty('movedOut');
  });

  it('is where it was moved to, whichever cell is asked first', () => {
    const { gone, there } = known();
    expect(joined(gone, there)).toBe(there);
    expect(joined(there, gone)).toBe(there);
  });

  it('is the same one of two, whichever cell is asked first', () => {
    const { there, other } = known();
    expect(joined(there, other)).toBe(there);
    expect(joined(other, there)).toBe(there);
    expect(joined(there, there && { ...there })).toBe(there);
  });
});
