import { describe, expect, it } from 'vitest';
import { createPace, type PaceOptions } from '../../../collector/subscription/pace.ts';
import { collecting, feed, numbers, reaches } from './feeding.ts';
import { ledgers } from './ledger.ts';
import { story } from './story.ts';

/** A clock that moves when somebody waits, and a thread that is as busy as it is told. */
function simulated(busy: () => number, change: Partial<PaceOptions> = {}) {
  let nowMs = 0;
  const pace = createPace({
    now: () => nowMs,
    async wait(ms) {
      nowMs += ms;
    },
    utilization: busy,
    isStopping: () => false,
    ...change,
  });
  async function turn(isFull: boolean): Promise<number> {
    const fromMs = nowMs;
    await pace.turn(isFull);
    return nowMs - fromMs;
  }
  return { pace, turn };
}

describe('the pace of a subscriber', () => {
  it('is a short look where the thread is quiet, whatever there is to catch up', async () => {
    const { pace, turn } = simulated(() => 0.1);
    for (let batch = 0; batch < 100; batch++) {
      expect(await turn(true)).toBe(10);
      pace.took(25, true);
    }
  });

  it('lets requests and views go first while they keep the thread busy', async () => {
    let looks = 0;
    const { turn } = simulated(() => {
      looks += 1;
      return looks < 2_000 ? 1 : 0;
    });
    expect(await turn(true)).toBe(10_000);
  });

  it('is a batch now and then after half a minute, until it has caught up', async () => {
    const { pace, turn } = simulated(() => 1);
    expect(await turn(true)).toBe(30_200);
    pace.took(25, true);
    expect(await turn(true)).toBe(200);
    pace.took(25, true);
    expect(await turn(true)).toBe(200);
    pace.took(25, false);
    expect(await turn(true)).toBe(30_200);
  });

  it('is a tenth of the time while one batch holds all, and a second at most', async () => {
    const { pace, turn } = simulated(() => 0);
    pace.took(20, false);
    expect(await turn(false)).toBe(190);
    pace.took(500, false);
    expect(await turn(false)).toBe(1_010);
    pace.took(500, true);
    expect(await turn(true)).toBe(10);
  });

  it('ends with the process', async () => {
    let left = 3;
    const { turn } = simulated(() => 1, { isStopping: () => left-- === 0 });
    expect(await turn(true)).toBe(30);
  });
});

const { open } = ledgers();

it('of a subscriber on a busy thread: everything waits in the log, and then comes', async () => {
  const ledger = open();
  const subscription = ledger.subscribe();
  const traces = collecting('traces');
  let looks = 0;
  let isBusy = true;
  const utilization = (): number => {
    looks += 1;
    return isBusy ? 1 : 0;
  };
  feed(ledger, subscription, [traces.subscriber], {
    paced: (options) => createPace({ ...options, utilization }),
    batchEventsMax: 4,
  });
  await ledger.append(story(1, 10));
  await subscription.catchUp();
  await expect.poll(() => looks, { interval: 5 }).toBeGreaterThan(10);
  expect(traces.batches).toEqual([]);
  isBusy = false;
  await reaches(ledger, 'traces', 10);
  expect(traces.positions()).toEqual(numbers(1, 10));
});
