import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Subscriber } from '../../../collector/subscription/subscriber.ts';
import type { SubscribersOptions } from '../../../collector/subscription/subscribers.ts';
import { collecting, feed, numbers, reaches } from './feeding.ts';
import { ledgers } from './ledger.ts';
import { story } from './story.ts';

const { open } = ledgers();

it('misses nothing and counts nothing twice in its state, whatever fails in between', async () => {
  const fault = fc.constantFrom('none', 'read', 'handle', 'move', 'move done', 'restart');
  const runs = fc.array(fc.tuple(fault, fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(runs, async (steps) => {
      const ledger = open();
      const subscription = ledger.subscribe();
      const traces = collecting('traces', {
        handle: async ({ events }, _, state) => String(Number(state) + events.length),
      });
      let broken = 'none';
      const breaking = async <Result>(name: string, work: () => Promise<Result>) => {
        if (broken !== name) return work();
        broken = 'none';
        throw new Error(name);
      };
      const handle: Subscriber['handle'] = (...given) =>
        breaking('handle', () => traces.subscriber.handle(...given));
      const options: Partial<SubscribersOptions> = {
        batchEventsMax: 4,
        log: {
          ...ledger.log,
          read: (...asked) => breaking('read', () => ledger.log.read(...asked)),
        },
        checkpoints: {
          ...ledger.checkpoints,
          move: (...asked) =>
            breaking('move', async () => {
              const outcome = await ledger.checkpoints.move(...asked);
              return breaking('move done', async () => outcome);
            }),
        },
      };
      let subscribers = feed(ledger, subscription, [{ ...traces.subscriber, handle }], options);
      let head = 0;
      for (const [fault, count] of steps) {
        broken = fault;
        await ledger.append(story(head + 1, count));
        head += count;
        subscription.wake();
        if (fault !== 'restart') continue;
        await subscribers.stop();
        subscribers = feed(ledger, subscription, [{ ...traces.subscriber, handle }], options);
      }
      await reaches(ledger, 'traces', head);
      expect([...new Set(traces.positions())]).toEqual(numbers(1, head));
      expect((await ledger.checkpoints.read('traces'))?.state).toBe(String(head));
      await subscribers.stop();
      await subscription.stop();
    }),
    { numRuns: 25 },
  );
});
