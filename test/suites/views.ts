/** What every implementation of Views must do (collector/views/views.ts). */
import { afterEach, describe } from 'vitest';
import type { Views } from '../../collector/views/views.ts';
import { describeCoarser } from './views/coarser.ts';
import { describeCommits } from './views/commits.ts';
import { describeCrashes } from './views/crashes.ts';
import { describeFinds } from './views/finds.ts';
import { describeGenerations } from './views/generations.ts';
import { goLive, type Stores, type ViewsUnderTest } from './views/stores.ts';
import { describeSums } from './views/sums.ts';
import { things } from './views/things.ts';

export type { ViewsUnderTest };

export function viewsSuite(name: string, openStore: () => Promise<ViewsUnderTest>): void {
  const opened: Views[] = [];

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((views) => views.close()));
  });

  const stores: Stores = {
    async open() {
      const store = await openStore();
      opened.push(store.views);
      const reopen = async () => {
        const views = await store.reopen();
        opened.push(views);
        return views;
      };
      return { ...store, reopen };
    },
    openViews: async () => (await stores.open()).views,
    async openLive() {
      const views = await stores.openViews();
      return { views, generation: await goLive(views, things) };
    },
  };

  describe(`views: ${name}`, () => {
    describeGenerations(stores);
    describeCommits(stores);
    describeSums(stores);
    describeCoarser(stores);
    describeFinds(stores);
    describeCrashes(stores);
  });
}
