/**
 * What every store must do when history is sealed (collector/log/history.ts, collector/seal/): no
 * count changes.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Log } from '../../collector/log/log.ts';
import { createProjections } from '../../collector/projections/registry.ts';
import { noRules } from '../../collector/projections/rules.ts';
import { contentsOf, expectContents, expectedContents } from '../collector/subscription/ledger.ts';
import { receivedAtMs } from '../collector/subscription/received-at.ts';
import { story } from '../collector/subscription/story.ts';
import { numbersFrom, partsIn, shuffled, told } from './history/contents.ts';
import { failingLog, gatedLog } from './history/logs.ts';
import { foldedUnder, rulesAfter, rulesBefore, withoutCounters } from './history/projections.ts';
import { type HistoryUnderTest, historySessions } from './history/sessions.ts';

/** Event n of the story has the time n ms in its id: a floor of n keeps the events from n on. */
export function historySuite(name: string, open: () => Promise<HistoryUnderTest>): void {
  const { openStore, run, closeAll } = historySessions(open);
  afterEach(closeAll);

  describe(`history: ${name}`, () => {
    it('changes no document, sum or counter, even after a rebuild or repeated events', async () => {
      const { append, sealer, log, expectBothWays } = run(await openStore());
      const events = shuffled(story(1, 600), 7);
      await append(events);
      const expected = expectedContents(events);
      expect(await sealer.seal({ floorMs: 400, dryRun: true })).toMatchObject({ events: 399 });
      expect(await sealer.seal({ floorMs: 400 })).toMatchObject({ floorMs: 400, events: 399 });
      expect(await told(log)).toEqual(numbersFrom(400, 600));
      await expectBothWays(expected);
      expect(await log.append({ receivedAtMs, events, deadLetters: [] })).toEqual({
        appended: 0,
        duplicates: 201,
        expired: 399,
      });
      await expectBothWays(expected);
    });

    it('seals repeatedly, with new events in between, keeping only the newest parts', async () => {
      const { append, sealer, log, expectBothWays } = run(await openStore(), {
        classCharsMax: 20_000,
      });
      const offered: LedgerEvent[] = [];
      for (const [from, floorMs] of [
        [1, 150],
        [301, 420],
        [601, 600],
        [901, 1_101],
      ] as const) {
        const events = shuffled(story(from, 300), from);
        await append(events);
        offered.push(...events);
        await sealer.seal({ floorMs });
        expect(await told(log)).toEqual(numbersFrom(floorMs, from + 299));
        const ids = (await partsIn(log)).map(({ data }) => data.sealId);
        expect(new Set(ids).size).toBe(1);
      }
      await expectBothWays(expectedContents(offered));
    });

    it('keeps what another cell still takes in, and counts it once all the same', async () => {
      let lowestMs = 0;
      const { append, sealer, log, expectBothWays } = run(await openStore(), {
        lowestFloorMs: async () => lowestMs,
      });
      const events = shuffled(story(1, 600), 13);
      const expected = expectedContents(events);
      await append(events);
      expect(await log.history.settledFloorMs()).toBe(0);
      expect(await sealer.seal({ floorMs: 200 })).toMatchObject({ floorMs: 200, events: 0 });
      expect(await log.history.settledFloorMs()).toBe(200);
      expect(await told(log)).toEqual(numbersFrom(1, 600));
      await expectBothWays(expected);
      lowestMs = 100;
      await sealer.resume();
      expect(await told(log)).toEqual(numbersFrom(100, 600));
      await sealer.seal({ floorMs: 400 });
      expect(await told(log)).toEqual(numbersFrom(100, 600));
      await expectBothWays(expected);
      lowestMs = 900;
      await sealer.resume();
      expect(await told(log)).toEqual(numbersFrom(400, 600));
      await expectBothWays(expected);
    });

    it('counts on exactly, whatever comes after a seal', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              count: fc.integer({ min: 1, max: 60 }),
              floor: fc.double({ min: 0, max: 1, noNaN: true }),
            }),
            {
              maxLength: 4,
            },
          ),
          fc.integer({ min: 1, max: 97 }),
          async (steps, seed) => {
            const store = await openStore();
            const { append, sealer, subscription, errors } = run(store);
            const offered: LedgerEvent[] = [];
            for (const { count, floor } of steps) {
              const events = shuffled(story(offered.length + 1, count), seed);
              await append(events);
              offered.push(...events);
              await sealer.seal({ floorMs: Math.max(1, Math.floor(floor * offered.length)) });
            }
            const more = shuffled(story(offered.length + 1, 40), seed);
            await append(more);
            await subscription.rebuild('sessions');
            await subscription.rebuild('producers');
            await subscription.catchUp();
            expectContents(await contentsOf(store.views), expectedContents([...offered, ...more]));
            expect(errors).toEqual([]);
            await subscription.stop();
          },
        ),
        { numRuns: 8 },
      );
    });

    it("applies today's rules to history sealed under others, and keeps the counters", async () => {
      const store = await openStore();
      const events = shuffled(story(1, 500), 11);
      const before = run(store, { projections: createProjections(rulesBefore) });
      await before.append(events);
      await before.sealer.seal({ floorMs: 350 });
      const { totals, counters } = await contentsOf(store.views);
      await before.subscription.stop();
      for (const rules of [rulesAfter, noRules]) {
        const after = run(store, { projections: createProjections(rules) });
        await after.subscription.catchUp();
        expectContents(await contentsOf(store.views), {
          ...foldedUnder(rules, events),
          totals,
          counters,
        });
        await after.subscription.stop();
      }
    });

    it('counts what is left of the log where the seal knows nothing of a counter', async () => {
      const store = await openStore();
      const events = story(1, 300);
      const older = createProjections(noRules).map((projection) =>
        projection.name === 'timings' ? withoutCounters(projection) : projection,
      );
      const before = run(store, { projections: older });
      await before.append(events);
      await before.sealer.seal({ floorMs: 100 });
      await before.subscription.stop();
      const after = run(store);
      await after.subscription.catchUp();
      const { counters } = await contentsOf(store.views);
      const calls = Object.values(counters.total_tools ?? {}).map(([sum = 0n]) => sum);
      const left = events.slice(99).filter(({ type }) => type === 'pi.tool.completed.v1');
      expect(calls.reduce((sum, each) => sum + each, 0n)).toBe(BigInt(left.length));
      await after.sealer.seal({ floorMs: 200 });
      await after.subscription.rebuild('timings');
      expect((await contentsOf(store.views)).counters).toEqual(counters);
    });

    it('keeps what comes below the floor before that is in force', async () => {
      const store = await openStore();
      const events = story(1, 300);
      const late = story(301, 1).map((event) => ({
        ...event,
        id: events[9]?.id.replace(/0$/, '1') ?? '',
      }));
      let hasCome = false;
      const log: Log = {
        ...store.log,
        async append(batch) {
          const result = await store.log.append(batch);
          const [event] = batch.events;
          if (!hasCome && event?.type === 'pi.history.sealed.v1') {
            hasCome = true;
            await store.log.append({ receivedAtMs, events: late, deadLetters: [] });
          }
          return result;
        },
      };
      const { append, sealer, expectBothWays } = run(store, { log });
      await append(events);
      await sealer.seal({ floorMs: 200 });
      await expectBothWays(expectedContents([...events, ...late]));
      expect(await sealer.seal({ floorMs: 250 })).toMatchObject({ floorMs: 250 });
      await expectBothWays(expectedContents([...events, ...late]));
    });

    it('goes on after it failed at any step', async () => {
      const store = await openStore();
      const events = shuffled(story(1, 400), 5);
      const expected = expectedContents(events);
      const steps = failingLog(store.log);
      const { append, sealer, log, expectBothWays } = run(store, { log: steps.log });
      await append(events);
      let failures = 0;
      for (let step = 0; ; step++) {
        steps.failAt(step);
        const outcome = await sealer.seal({ floorMs: 300 }).then(
          () => 'sealed' as const,
          () => 'failed' as const,
        );
        steps.failAt(null);
        await expectBothWays(expected);
        if (outcome === 'sealed') break;
        failures += 1;
        expect(step).toBeLessThan(50);
      }
      expect(failures).toBeGreaterThan(3);
      await sealer.resume();
      expect(await told(log)).toEqual(numbersFrom(300, 400));
      await expectBothWays(expected);
    });

    it('starts a rebuild again from the seal when events were deleted meanwhile', async () => {
      const store = await openStore();
      const gate = gatedLog(store.log);
      const { append, sealer, subscription, errors, expectBothWays } = run(store, {
        log: gate.log,
        batchEventsMax: 50,
      });
      const events = shuffled(story(1, 400), 13);
      await append(events);
      await subscription.catchUp();
      const rebuilt = Promise.withResolvers<unknown>();
      gate.beforeEnforcing(async () => {
        gate.closeAfter(100);
        rebuilt.resolve(subscription.rebuild('sessions'));
        await gate.isClosed();
      });
      await sealer.seal({ floorMs: 300 });
      gate.open();
      await rebuilt.promise;
      await expectBothWays(expectedContents(events));
      expect(errors).toEqual([]);
    });

    it('folds anew from the seal a view that has not come as far', async () => {
      const [store, other] = [await openStore(), await openStore()];
      const events = shuffled(story(1, 300), 3);
      const early = run(store);
      await early.append(events.slice(0, 200));
      await early.subscription.catchUp();
      await early.subscription.stop();
      const sealing = run({ log: store.log, views: other.views });
      await sealing.append(events.slice(200));
      await sealing.sealer.seal({ floorMs: 250 });
      await run(store).expectBothWays(expectedContents(events));
    });

    it('reads nothing that was deleted, also where it has it in memory', async () => {
      const { log } = await openStore();
      await log.append({ receivedAtMs, events: story(1, 30), deadLetters: [] });
      await log.history.enforce({
        sealId: 'one',
        floorMs: 11,
        first: 21,
        last: 22,
        superseded: null,
      });
      expect(await log.history.expire(6)).toBe(6);
      expect(await log.history.expire(100)).toBe(4);
      expect(await log.history.expire(100)).toBe(0);
      expect(await told(log)).toEqual(numbersFrom(11, 30));
    });

    it('refuses to rebuild what another version sealed, and keeps the existing view', async () => {
      const store = await openStore();
      const events = story(1, 200);
      const before = run(store);
      await before.append(events);
      await before.sealer.seal({ floorMs: 100 });
      await before.subscription.stop();
      const next = createProjections(noRules).map((projection) => ({
        ...projection,
        version: projection.version + 1,
        sealing: { emit: () => undefined, cumulative: [], ...projection.sealing, open: () => null },
      }));
      const after = run(store, { projections: next });
      await expect(after.subscription.catchUp()).rejects.toMatchObject({
        code: 'sealed_by_another_version',
      });
      expectContents(await contentsOf(store.views), expectedContents(events));
    });

    it('gives no position twice and reads on over the gaps', async () => {
      const store = await openStore();
      const { append, sealer, log } = run(store);
      await append(story(1, 50));
      await sealer.seal({ floorMs: 51 });
      const head = await log.head();
      await append(story(51, 5));
      const stored = await log.read(0, 100);
      expect(stored.slice(-5).map(({ position }) => position)).toEqual(
        [1, 2, 3, 4, 5].map((more) => head + more),
      );
      expect(stored).toHaveLength((await partsIn(log)).length + 5);
      expect(await log.history.countBelow(51)).toBe(0);
    });

    it('takes no older seal in force, and none that another process overtook', async () => {
      const { log } = await openStore();
      await log.append({ receivedAtMs, events: story(1, 20), deadLetters: [] });
      const seal = { sealId: 'one', floorMs: 5, first: 10, last: 12, superseded: null };
      await log.history.enforce(seal);
      await expect(log.history.enforce({ ...seal, sealId: 'two', first: 9 })).rejects.toThrow(
        'newer seal',
      );
      expect(await log.history.seal()).toEqual(seal);
    });
  });
}
