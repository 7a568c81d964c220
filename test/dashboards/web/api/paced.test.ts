import { describe, expect, it } from 'vitest';
import { paced } from '../../../../dashboards/web/api/paced.ts';

/** Time that passes when somebody waits or works. */
function clock() {
  const rests: number[] = [];
  let ms = 0;
  return {
    rests,
    now: () => ms,
    pass: (more: number) => {
      ms += more;
    },
    async wait(rest: number) {
      rests.push(rest);
      ms += rest;
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what is paced', () => {
  it('runs once for all calls while it runs, and once after them', async () => {
    const time = clock();
    let runs = 0;
    let end: (() => void) | undefined;
    const ask = paced({
      ...time,
      act: () => {
        runs += 1;
        return new Promise<boolean>((resolve) => {
          end = () => resolve(true);
        });
      },
    });
    for (let call = 0; call < 5; call += 1) ask();
    await settled();
    expect(runs).toBe(1);
    ask();
    ask();
    end?.();
    await settled();
    expect(runs).toBe(2);
    end?.();
    await settled();
    expect(runs).toBe(2);
  });

  it('rests a second and a half, or four times as long as it took', async () => {
    const time = clock();
    const durations = [10, 500];
    const ask = paced({
      ...time,
      async act() {
        time.pass(durations.shift() ?? 0);
        return true;
      },
    });
    ask();
    await settled();
    ask();
    await settled();
    expect(time.rests).toEqual([1_500, 2_000]);
  });

  it('runs again after five seconds while it is not done, asked for or not', async () => {
    const time = clock();
    const outcomes = [false, false, true];
    const ask = paced({ ...time, act: async () => outcomes.shift() ?? true });
    ask();
    await settled();
    expect(outcomes).toEqual([]);
    expect(time.rests).toEqual([5_000, 5_000, 1_500]);
  });
});
