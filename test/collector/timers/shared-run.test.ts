import { expect, it } from 'vitest';
import { shareRuns } from '../../../collector/timers/shared-run.ts';

/** Runs that end when they are told to. */
function held() {
  const ends: ((value: number) => void)[] = [];
  const rejects: ((error: Error) => void)[] = [];
  const ask = shareRuns(
    () =>
      new Promise<number>((resolve, reject) => {
        ends.push(resolve);
        rejects.push(reject);
      }),
  );
  return { ask, ends, rejects };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('shares one run among those who ask before it begins', async () => {
  const { ask, ends } = held();
  const answers = [ask(), ask(), ask()];
  await turn();
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect(await Promise.all(answers)).toEqual([1, 1, 1]);
});

it('gives nobody a result begun before they asked, and keeps one run waiting', async () => {
  const { ask, ends } = held();
  const first = ask();
  await turn();
  const later = [ask(), ask()];
  await turn();
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect(await first).toBe(1);
  await turn();
  expect(ends).toHaveLength(2);
  ends[1]?.(2);
  expect(await Promise.all(later)).toEqual([2, 2]);
});

it('goes on after a run that rejects, and tells those who waited for it', async () => {
  const { ask, ends, rejects } = held();
  const first = ask();
  await turn();
  const second = ask();
  rejects[0]?.(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await turn();
  ends[1]?.(2);
  expect(await second).toBe(2);
});
