/** Views of several cells in SQLite files, and of one that holds the same. */

import { join } from 'node:path';
import { afterAll } from 'vitest';
import { joinViews } from '../../../../collector/cells/views/joined-views.ts';
import type { Projection, Rollup } from '../../../../collector/projections/projection.ts';
import type { RollupDelta, ViewDocument, Views } from '../../../../collector/views/views.ts';
import { openViewsAt } from '../../../suites/views/open-sqlite.ts';
import { goLive } from '../../../suites/views/stores.ts';
import { temporaryDirectory } from '../../support/directory.ts';

export interface Held {
  readonly documents?: readonly ViewDocument[];
  readonly deltas?: readonly RollupDelta[];
}

export const cellsCount = 3;

/** Call it while a test file is read. */
export function joinedStores() {
  const directory = temporaryDirectory();
  const opened: Views[] = [];
  afterAll(async () => {
    await Promise.all(opened.map((views) => views.close()));
  });
  async function open(): Promise<Views> {
    const views = await openViewsAt({ path: join(directory, `${opened.length}.db`) });
    opened.push(views);
    return views;
  }
  return {
    async open() {
      const single = await open();
      const cells: Views[] = [];
      while (cells.length < cellsCount) cells.push(await open());
      return {
        single,
        cells,
        joined: joinViews(cells.map((views) => ({ views, log: { head: async () => 1 } }))),
      };
    },
  };
}

/** Everything anew, in one commit. */
export async function hold(
  views: Views,
  projection: Projection,
  { documents = [], deltas = [] }: Held,
): Promise<void> {
  const { id } = await goLive(views, projection);
  await views.commit(projection, { generation: id, from: 0, to: 1, documents, deltas });
}

export const sums: Rollup = {
  name: 'sums',
  dimensions: ['day', 'session', 'label'],
  measures: ['records', 'nanoUsd'],
  indexes: [],
};

export interface Thing {
  readonly size: number;
  readonly label: string;
}

/** Documents of these are in one cell each. */
export const separate: Projection<Thing> = {
  name: 'separate',
  version: 1,
  settings: '',
  rollups: [sums],
  columns: { label: 'text', size: 'integer' },
  indexes: [['label']],
  key: () => null,
  initial: () => ({ size: 0, label: '' }),
  evolve: (state) => state,
  columnsOf: (state) => ({ ...state }),
  encode: (state) => JSON.stringify(state),
  decode: (body) => JSON.parse(body),
};

/** The largest size and the last label of all parts. */
export const mixed: Projection<Thing> = {
  ...separate,
  name: 'mixed',
  joining: {
    join(left, right) {
      const [label = ''] = [left.state.label, right.state.label].toSorted().reverse();
      const state = { size: Math.max(left.state.size, right.state.size), label };
      return { state, columns: { ...state } };
    },
    isOnePart: false,
  },
};

/** The last part by its text. */
export const picked: Projection<Thing> = {
  ...separate,
  name: 'picked',
  joining: {
    join: (left, right) =>
      JSON.stringify(left.state) > JSON.stringify(right.state) ? left : right,
    isOnePart: true,
  },
};

export function documentOf(key: string, state: Thing): ViewDocument {
  return { key, columns: { ...state }, body: JSON.stringify(state) };
}
