import { describe, expect, it } from 'vitest';
import type { Projection } from '../../../collector/projections/projection.ts';
import {
  commit,
  delta,
  emptyCommit,
  everything,
  find,
  goLive,
  keys,
  type Stores,
  sum,
  thing,
} from './stores.ts';
import { things } from './things.ts';

export function describeGenerations({ openViews, openLive }: Stores): void {
  describe('generations', () => {
    it('has no view at first: nothing is found, and the total is zero', async () => {
      const views = await openViews();
      expect(await views.live(things)).toBeNull();
      expect(await find(views)).toEqual([]);
      expect(await sum(views, ['day'])).toEqual({});
      expect(await sum(views, [])).toEqual({ '': [0n, 0n] });
    });

    it('shows a generation only when it is promoted, and drops the one before', async () => {
      const { views, generation: first } = await openLive();
      await commit(views, first, 1, {
        documents: [thing('old')],
        deltas: [delta(['d', 'p', 'u'], [1n, 10n])],
      });
      const second = await views.begin(things);
      expect(second).toMatchObject({ version: things.version, checkpoint: 0 });
      await commit(views, second, 5, {
        documents: [thing('new')],
        deltas: [delta(['d', 'p', 'u'], [2n, 20n])],
      });
      expect(await keys(views)).toEqual(['old']);
      expect(await sum(views, [])).toEqual({ '': [1n, 10n] });

      expect(await views.promote(things, second.id)).toBe('promoted');
      expect(await views.live(things)).toEqual({ ...second, checkpoint: 5 });
      expect(await keys(views)).toEqual(['new']);
      expect(await sum(views, [])).toEqual({ '': [2n, 20n] });
      expect(await commit(views, { ...first, checkpoint: 1 }, 2)).toBe('stale');
      expect(await views.load(things, first.id, ['old'])).toEqual(new Map());
    });

    it('drops an unfinished generation when another begins', async () => {
      const { views, generation: live } = await openLive();
      const abandoned = await views.begin(things);
      const next = await views.begin(things);
      expect(next.id).not.toBe(abandoned.id);
      expect(await commit(views, abandoned, 1)).toBe('stale');
      expect(await views.promote(things, abandoned.id)).toBe('stale');
      expect(await commit(views, live, 1)).toBe('committed');
      expect(await commit(views, next, 1)).toBe('committed');
    });

    it('keeps the projections apart', async () => {
      const { views, generation } = await openLive();
      const others: Projection = { ...things, name: 'others' };
      const other = await goLive(views, others);
      await commit(views, generation, 3, { documents: [thing('mine')] });
      expect(await views.find(others, everything)).toEqual([]);
      expect(await views.live(others)).toEqual(other);
      expect(await views.promote(others, generation.id)).toBe('stale');
      expect(
        await views.commit(others, { ...emptyCommit, generation: generation.id, from: 3, to: 4 }),
      ).toBe('stale');
    });

    it('counts a view that was made for other columns or rollups as none', async () => {
      const { views, generation } = await openLive();
      await commit(views, generation, 3, { documents: [thing('mine')] });
      const wider: Projection = { ...things, columns: { ...things.columns, weight: 'integer' } };
      expect(await views.live(wider)).toBeNull();
      expect(await views.find(wider, everything)).toEqual([]);
      const anew = await goLive(views, wider);
      expect(await views.live(wider)).toEqual(anew);
      expect(await views.live(things)).toBeNull();
    });

    it('tells the settings that a view was folded with, and shows it under others', async () => {
      const { views, generation } = await openLive();
      await commit(views, generation, 3, { documents: [thing('mine')] });
      const changed: Projection = { ...things, settings: 'others' };
      expect(await views.live(changed)).toEqual({
        ...generation,
        settings: things.settings,
        checkpoint: 3,
      });
      expect((await views.find(changed, everything)).map(({ key }) => key)).toEqual(['mine']);
      expect((await views.begin(changed)).settings).toBe('others');
    });

    it('tells which version a view was folded by', async () => {
      const { views, generation } = await openLive();
      expect(await views.live({ ...things, version: 9 })).toEqual(generation);
      expect((await views.begin({ ...things, version: 9 })).version).toBe(9);
    });
  });
}
