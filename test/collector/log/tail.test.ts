import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';
import { createTail } from '../../../collector/log/tail.ts';
import { exampleEvent } from '../support/events.ts';

const stored = (position: number): StoredEvent => ({
  position,
  receivedAtMs: 0,
  event: exampleEvent({ number: position }),
});
const positions = (events: readonly StoredEvent[] | null) =>
  events?.map(({ position }) => position) ?? null;

describe('the tail', () => {
  it('gives a reader that follows every event once, without the file', () => {
    const tail = createTail({ eventsMax: 100, charsMax: 10_000 });
    for (let position = 5; position <= 10; position += 1) tail.push(stored(position), 1);
    expect(positions(tail.read(4, 3))).toEqual([5, 6, 7]);
    expect(positions(tail.read(7, 3))).toEqual([8, 9, 10]);
    expect(tail.read(10, 3)).toBeNull();
  });

  it('knows nothing of what is older than itself, or was read before', () => {
    const tail = createTail({ eventsMax: 100, charsMax: 10_000 });
    for (let position = 5; position <= 10; position += 1) tail.push(stored(position), 1);
    expect(tail.read(3, 3)).toBeNull();
    tail.read(7, 3);
    expect(tail.read(6, 3)).toBeNull();
  });

  it('begins anew when positions were left out', () => {
    const tail = createTail({ eventsMax: 100, charsMax: 10_000 });
    tail.push(stored(1), 1);
    tail.push(stored(7), 1);
    expect(tail.read(0, 10)).toBeNull();
    expect(positions(tail.read(6, 10))).toEqual([7]);
  });

  it('answers what the log would, or nothing, and stays within its bounds', () => {
    const step = fc.oneof(
      fc.record({ push: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ after: fc.nat(40), limit: fc.integer({ min: 1, max: 9 }) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const tail = createTail({ eventsMax: 8, charsMax: 100 });
        let head = 0;
        for (const each of steps) {
          if ('push' in each) {
            head += 1;
            tail.push(stored(head), each.push);
          } else {
            const read = positions(tail.read(each.after, each.limit));
            const log = Array.from(
              { length: Math.max(0, Math.min(each.limit, head - each.after)) },
              (_, n) => each.after + 1 + n,
            );
            if (read !== null) expect(read).toEqual(log);
            expect(read?.length ?? 0).toBeLessThanOrEqual(8);
          }
        }
      }),
    );
  });
});
