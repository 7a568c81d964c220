/** Subagents whose parents became known after they were read. */
import { describe, expect, it } from 'vitest';
import type { FileProgress } from '../../../../collector/importers/progress/file-rows.ts';
import { openProgress } from '../../../../collector/importers/progress/progress.ts';
import type { FileClaim } from '../../../../collector/importers/proofs.ts';
import { bookmark, claim, file } from '../support/kept.ts';

describe('children whose parents became known late', () => {
  function late(files: readonly FileProgress[], claims: readonly FileClaim[]) {
    const progress = openProgress({ path: ':memory:', storeId: 'one' });
    progress.save(files, claims);
    const found = progress.lateChildren();
    const other = openProgress({ path: ':memory:', storeId: 'two' });
    expect(other.lateChildren()).toEqual([]);
    return found;
  }

  const child = (more: Partial<FileProgress> = {}) =>
    file('/child', { bookmark: bookmark('child', { firstAnswer: 'r1' }), ...more });
  const told = (sessionId: string, firstAnswer: string | null = 'r1') => ({
    firstAnswer,
    parent: { sessionId, key: `turn:turn-${sessionId}` },
  });

  it('are those whose first answer somebody claims', () => {
    const parent = { sessionId: 'parent', key: 'turn:turn-parent' };
    expect(late([child()], [claim('r1', 'parent'), claim('r2', 'other')])).toEqual([
      { path: '/child', claimedBy: parent, isClaimedAnew: false, alsoClaimedBy: [told('parent')] },
    ]);
    expect(
      late(
        [child({ claimedBy: parent, alsoClaimedBy: [told('parent')] })],
        [claim('r1', 'parent')],
      ),
    ).toEqual([]);
  });

  it('are claimed anew where another one had been taken for the parent', () => {
    const claimedBy = { sessionId: 'far', key: 'turn:far' };
    const near = claim('r1', 'near', { time: '2026-11-20T08:00:00.000Z' });
    expect(
      late([child({ claimedBy, alsoClaimedBy: [told('far')] })], [claim('r1', 'far'), near]),
    ).toEqual([
      {
        path: '/child',
        claimedBy: { sessionId: 'near', key: 'turn:turn-near' },
        isClaimedAnew: true,
        alsoClaimedBy: [told('near')],
      },
    ]);
  });

  it('are those that wait for a parent’s file, once it is there', () => {
    const waiting = file('/waits', {
      bookmark: bookmark('w', { awaitedParent: { file: '/parent', key: 'agent:A' } }),
    });
    expect(late([waiting], [])).toEqual([]);
    expect(late([waiting, file('/parent')], [])).toEqual([]);
    expect(late([waiting, file('/parent', { bookmark: bookmark('parent') })], [])).toEqual([
      {
        path: '/waits',
        claimedBy: { sessionId: 'parent', key: 'agent:A' },
        isClaimedAnew: false,
        alsoClaimedBy: [],
      },
    ]);
  });

  it('are copies of what somebody claims, and all claimants of one file are named', () => {
    const copiedAnswers = ['r1', 'r2'].map((key) => ({
      sessionId: `of ${key}`,
      key,
      beganAt: '',
      sums: [],
    }));
    const copies = file('/fork', { bookmark: bookmark('fork', { copiedAnswers }) });
    const [found] = late(
      [copies],
      [claim('r1', 'a'), claim('r1', 'b'), claim('r2', 'c'), claim('r3', 'd')],
    );
    expect(found).toMatchObject({ path: '/fork', claimedBy: null, isClaimedAnew: false });
    expect(found?.alsoClaimedBy).toHaveLength(3);
    expect(found?.alsoClaimedBy).toEqual(
      expect.arrayContaining([told('a'), told('b'), told('c', 'r2')]),
    );
  });

  describe('of omp, begun while a turn went on that claims one of their name,', () => {
    const times = { turnAt: '2026-11-20T08:59:00.000Z', time: '2026-11-20T09:01:00.000Z' };
    const copied = claim('agent:A', 'fork', times);
    const placed = file('/placed', {
      bookmark: bookmark('child', { placedParent: { sessionId: 'p', key: 'agent:A' } }),
    });
    const nested = { key: 'agent:A.B' };
    const waiting = file('/waits', {
      bookmark: bookmark('child', { awaitedParent: { file: '/gone', ...nested } }),
    });
    const known = file('/known', {
      bookmark: bookmark('child', { placedParent: { sessionId: 'p', ...nested } }),
    });
    const toldOf = (found: ReturnType<typeof late>) =>
      found.flatMap(({ alsoClaimedBy }) => alsoClaimedBy.map(({ parent }) => parent.sessionId));

    it('are told to its session, which may have it as a copy', () => {
      expect(late([placed], [copied])).toEqual([
        {
          path: '/placed',
          claimedBy: null,
          isClaimedAnew: false,
          alsoClaimedBy: [{ firstAnswer: null, parent: { sessionId: 'fork', key: 'agent:A' } }],
        },
      ]);
      expect(toldOf(late([placed], [{ ...copied, turnAt: null }]))).toEqual(['fork']);
    });

    it('are told to it by the subagent between, where that is known', () => {
      expect(toldOf(late([waiting], [{ ...copied, ...nested }]))).toEqual(['fork']);
      expect(late([known], [{ ...copied, ...nested }])).toEqual([]);
    });

    it.each([
      ['before', { turnAt: '2026-11-20T09:00:00.001Z' }],
      ['after', { turnAt: times.turnAt, time: '2026-11-20T08:59:59.999Z' }],
      ['more than a day after', { turnAt: null, time: '2026-11-21T09:00:00.001Z' }],
      ['under another name', { key: 'agent:B' }],
      ['as that subagent itself', { sessionId: 'child' }],
    ])('are not told to one that claims %s', (_how, more) => {
      expect(late([placed, waiting], [{ ...copied, ...more }])).toEqual([]);
    });
  });

  it('of omp are told to every session that the same claim was said to be of', () => {
    const placed = file('/placed', {
      bookmark: bookmark('child', { placedParent: { sessionId: 'p', key: 'agent:A' } }),
    });
    const same = { claimId: 'one', turnEntryId: 't' };
    const claims = [
      claim('agent:A', 'p', { ...same, holder: 'p' }),
      claim('agent:A', 'older', { ...same, holder: 'fork' }),
    ];
    expect(late([placed], claims)).toEqual([
      {
        path: '/placed',
        claimedBy: null,
        isClaimedAnew: false,
        alsoClaimedBy: [{ firstAnswer: null, parent: { sessionId: 'older', key: 'agent:A' } }],
      },
    ]);
  });
});
