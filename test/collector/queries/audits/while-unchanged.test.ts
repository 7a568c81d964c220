import { expect, it } from 'vitest';
import { createWhileUnchanged } from '../../../../collector/queries/audits/while-unchanged.ts';

function given() {
  const views = { checkpoint: 1 as number | null };
  const live = async () =>
    views.checkpoint === null
      ? null
      : { id: 1, version: 1, settings: '', checkpoint: views.checkpoint };
  let computed = 0;
  const remembered = createWhileUnchanged<number>({ live } as never);
  const ask = (question: string) => remembered.once(question, async () => ++computed);
  return { views, ask, remembered };
}

it('gives an answer again while the views stand where they stood', async () => {
  const { views, ask } = given();
  expect([await ask('a'), await ask('b'), await ask('a')]).toEqual([1, 2, 1]);
  views.checkpoint = 2;
  expect([await ask('a'), await ask('a'), await ask('b')]).toEqual([3, 3, 4]);
});

it('remembers nothing where a view is not there', async () => {
  const { views, ask } = given();
  views.checkpoint = null;
  expect([await ask('a'), await ask('a')]).toEqual([1, 2]);
});

it('does not remember what was computed of views that have moved meanwhile', async () => {
  const { views, ask, remembered } = given();
  const slow = await remembered.once('a', async () => {
    views.checkpoint = 2;
    await ask('b');
    return 100;
  });
  expect(slow).toBe(100);
  expect(await ask('a')).toBe(2);
});

it('remembers so many answers and no more', async () => {
  const { ask } = given();
  for (let question = 0; question < 50; question += 1) await ask(`q${question}`);
  expect(await ask('q0')).toBe(51);
});

it('asks again after an error', async () => {
  const { ask, remembered } = given();
  await expect(remembered.once('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await ask('a')).toBe(1);
});
