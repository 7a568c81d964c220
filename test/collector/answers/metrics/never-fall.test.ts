/** Counters in a real store: whatever arrives, in whatever batches, with restarts and repeats. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { CounterReading } from '@pi-ledger/contract/telemetry/counters';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCounters } from '../../../../collector/answers/metrics/counters.ts';
import type { Views } from '../../../../collector/views/views.ts';
import { anyEvent, copyEvent } from '../../projections/support/any-event.ts';
import { measuredOrMoved } from '../../projections/timings/measured-events.ts';
import { ledgers } from '../../subscription/ledger.ts';
import { story } from '../../subscription/story.ts';

const stores = ledgers();
const anything = fc.oneof(anyEvent, copyEvent, measuredOrMoved);
const now = () => Date.parse('2026-11-22T10:30:00.000Z');

async function readingOf(views: Views): Promise<CounterReading> {
  const reading = await createCounters(views, { users: true, now }).read();
  if (reading === null) throw new Error('Nothing counts yet.');
  return reading;
}

/** Every number of every series that may not fall. */
function numbersIn({ metrics }: CounterReading): ReadonlyMap<string, bigint> {
  return new Map(
    metrics
      .filter(({ metric }) => metric.kind !== 'gauge')
      .flatMap(({ metric, points }) =>
        points.flatMap((point): [string, bigint][] => {
          const series = JSON.stringify([metric.name, point.attributes]);
          if ('amount' in point) return [[series, point.amount]];
          const { counts, sum } = point.histogram;
          return [sum, ...counts].map((each, index) => [`${series} ${index}`, each]);
        }),
      ),
  );
}

async function readWhole(events: readonly LedgerEvent[]) {
  const { append, subscribe, views } = stores.open();
  await append(events);
  const subscription = subscribe();
  await subscription.catchUp();
  return { subscription, views, numbers: numbersIn(await readingOf(views)) };
}

it('are the same however events were split, repeated and interrupted, and never fall', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anything, { minLength: 1, maxLength: 60 }),
      fc.array(fc.record({ size: fc.integer({ min: 1, max: 20 }), stops: fc.boolean() }), {
        maxLength: 6,
      }),
      async (events, steps) => {
        const { append, subscribe, views } = stores.open();
        let [from, before] = [0, new Map<string, bigint>() as ReadonlyMap<string, bigint>];
        let subscription = subscribe();
        for (const { size, stops } of [...steps, { size: events.length, stops: false }]) {
          // What came before is offered again.
          await append(events.slice(0, from + size));
          from += size;
          subscription.wake();
          await subscription.catchUp();
          const numbers = numbersIn(await readingOf(views));
          for (const [series, number] of before)
            expect(numbers.get(series) ?? -1n).toBeGreaterThanOrEqual(number);
          before = numbers;
          if (stops) {
            await subscription.stop();
            subscription = subscribe();
          }
        }
        expect(before).toEqual((await readWhole(events)).numbers);
        await subscription.stop();
      },
    ),
    { numRuns: 15 },
  );
});

it('are the same after every view was folded anew', async () => {
  const { subscription, views, numbers } = await readWhole(story(1, 500));
  expect(numbers.size).toBeGreaterThan(100);
  for (const name of ['sessions', 'timings', 'utilization']) await subscription.rebuild(name);
  expect(numbersIn(await readingOf(views))).toEqual(numbers);
});
