/** Events for requests: all of them, in order, as many at a time as fit. */
import { expect, it } from 'vitest';
import { createBatches, type EventBatch } from '../../../../collector/importers/threads/batches.ts';
import type { EventDraft } from '../../../../core/record/draft.ts';

const draft = (id: string, pad = '') =>
  ({
    id,
    type: 'pi.session.started.v1',
    time: '2026-11-20T09:00:00.000Z',
    subject: 's',
    ownership: 'named',
    data: { pad },
  }) as never as EventDraft;
const ids = ({ texts }: EventBatch) => texts.map((text) => JSON.parse(text).id);
const numbered = (count: number, pad?: string) =>
  Array.from({ length: count }, (_, index) => draft(String(index), pad));

it('writes each event as the log has it', () => {
  const batches = createBatches('/importers/pi');
  batches.add([draft('a')]);
  expect(batches.rest().texts.map((text) => JSON.parse(text))).toEqual([
    {
      specversion: '1.0',
      id: 'a',
      source: '/importers/pi',
      type: 'pi.session.started.v1',
      time: '2026-11-20T09:00:00.000Z',
      subject: 's',
      ownership: 'named',
      data: { pad: '' },
    },
  ]);
});

it('is full at 400 events, and the rest waits', () => {
  const batches = createBatches('/importers/pi');
  batches.add(numbered(399));
  expect(batches.full()).toBeNull();
  batches.add(numbered(402).slice(399));
  const full = batches.full();
  expect(full === null ? [] : ids(full)).toEqual(numbered(400).map(({ id }) => id));
  expect(batches.full()).toBeNull();
  expect(ids(batches.rest())).toEqual(['400', '401']);
  expect(batches.rest()).toEqual({ texts: [], bytes: 0 });
});

it('is full at half a million characters, with the event that came to them', () => {
  const batches = createBatches('/importers/pi');
  const long = numbered(5, 'x'.repeat(200_000));
  batches.add(long.slice(0, 2));
  expect(batches.full()).toBeNull();
  batches.add(long.slice(2));
  const sizes = [batches.full(), batches.full()].map((batch) => batch && ids(batch).length);
  expect(sizes).toEqual([3, null]);
  batches.add(numbered(1, 'x'.repeat(200_000)));
  expect(batches.full()?.texts.length).toBe(3);
  expect(ids(batches.rest())).toEqual([]);
});

it('tells with each batch what was read since the one before', () => {
  const batches = createBatches('/importers/pi');
  batches.read(10);
  batches.read(5);
  batches.add(numbered(401));
  expect(batches.full()?.bytes).toBe(15);
  batches.read(7);
  expect(batches.rest().bytes).toBe(7);
  batches.add(numbered(400));
  batches.read(3);
  expect(batches.full()?.bytes).toBe(3);
  expect(batches.rest().bytes).toBe(0);
});
