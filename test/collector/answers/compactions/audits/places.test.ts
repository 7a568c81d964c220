/** What is kept of where the rows are stays bounded, however long new ones come. */
import { expect, it } from 'vitest';
import { createPlaces } from '../../../../../collector/answers/compactions/audits/places.ts';
import type { ViewDocument, ViewsReader } from '../../../../../collector/views/views.ts';

const document = (number: number): ViewDocument => {
  const happenedAt = new Date(number * 1_000).toISOString();
  const columns = { session: 's', happenedAt, kind: 'compaction', entryId: '' };
  return { key: `c${number}`, columns, body: '' };
};

/** Has as many as are asked for by name, and one more for whoever asks without. */
const views: Pick<ViewsReader, 'find'> = {
  find: async (_, { where: [named] }) =>
    named === undefined
      ? [document(0)]
      : named.values.map((key) => document(Number(String(key).slice(1)))),
};

it('is full when more have come than are kept, and empty after that', async () => {
  const places = createPlaces(views as ViewsReader);
  expect(await places.reach('')).toBe(true);
  const ids = (from: number, count: number) =>
    new Set(Array.from({ length: count }, (_, index) => `c${from + index}`));
  await places.renew(ids(1, 44_999));
  expect([places.all().length, places.isFull()]).toEqual([45_000, false]);
  await places.renew(ids(45_000, 1));
  expect(places.isFull()).toBe(true);
  expect(places.all()[0]?.id).toBe('c45000');
  places.clear();
  expect([places.all().length, places.isFull()]).toEqual([0, false]);
});
