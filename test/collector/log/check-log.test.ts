import { expect, it } from 'vitest';
import { checkLog } from '../../../collector/log/check-log.ts';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';
import { exampleEvent } from '../support/events.ts';

/** Of events from position 1; those damaged that are named. */
function logOf(count: number, damaged: Readonly<Record<number, string>>) {
  const asked: number[] = [];
  const stored = (position: number): StoredEvent => ({
    ...{ position, receivedAtMs: 0, event: exampleEvent({ number: position }) },
    ...(damaged[position] === undefined ? {} : { damage: damaged[position] }),
  });
  return {
    asked,
    async read(after: number, limit: number) {
      asked.push(after);
      const found = Math.max(0, Math.min(limit, count - after));
      return Array.from({ length: found }, (_, at) => stored(after + at + 1));
    },
  };
}

it('counts every event to the end, and names the first damaged ones', async () => {
  const log = logOf(2_500, { 1: 'no JSON', 1001: 'another id', 2500: 'no JSON' });
  expect(await checkLog(log, 2)).toEqual({
    events: 2_500,
    damaged: 3,
    first: [
      { position: 1, eventId: exampleEvent({ number: 1 }).id, damage: 'no JSON' },
      { position: 1_001, eventId: exampleEvent({ number: 1_001 }).id, damage: 'another id' },
    ],
  });
  expect(log.asked).toEqual([0, 1_000, 2_000, 2_500]);
});

it('finds nothing in a log that is whole, or empty', async () => {
  expect(await checkLog(logOf(3, {}), 2)).toEqual({ events: 3, damaged: 0, first: [] });
  expect(await checkLog(logOf(0, {}), 2)).toEqual({ events: 0, damaged: 0, first: [] });
});
