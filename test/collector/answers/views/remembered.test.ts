import { expect, it } from 'vitest';
import {
  createRemembered,
  type Rememberable,
} from '../../../../collector/answers/views/remembered.ts';
import { sessions } from '../../projections/support/bare-sessions.ts';

function given(rowsRead = 2_000) {
  const views = { generation: 1, checkpoint: 1 as number | null };
  let nowMs = 1_000_000;
  const live = async () =>
    views.checkpoint === null
      ? null
      : { id: views.generation, version: 1, settings: '', checkpoint: views.checkpoint };
  interface Answer extends Rememberable {
    readonly number: number;
  }
  const remembered = createRemembered<Answer>({
    views: { live } as never,
    of: [sessions],
    now: () => nowMs,
  });
  let computed = 0;
  const compute = async () => {
    computed += 1;
    return { number: computed, readAtMs: nowMs, rowsRead };
  };
  return {
    views,
    remembered,
    wait: (seconds: number) => {
      nowMs += seconds * 1_000;
    },
    compute,
    async ask(question = 'a', how = compute) {
      const { answer, isCurrent } = await remembered.once(question, how);
      return `${answer.number}${isCurrent ? '' : ' older'}`;
    },
  };
}

/** Computes nothing until it may go on. */
function held<Answer>(compute: () => Promise<Answer>) {
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const slow = (name: string) => async () => {
    begun.push(name);
    await promise;
    return compute();
  };
  return { begun, slow, goOn };
}

it('gives an answer again while the views stand where they stood', async () => {
  const { views, ask } = given();
  expect([await ask('a'), await ask('b'), await ask('a')]).toEqual(['1', '2', '1']);
  views.checkpoint = 2;
  expect([await ask('a'), await ask('a'), await ask('b')]).toEqual(['3', '3', '4']);
});

it('remembers nothing where a view is not there', async () => {
  const { views, ask } = given();
  views.checkpoint = null;
  expect([await ask(), await ask()]).toEqual(['1', '2']);
});

it('does not take for current what was computed before the views moved', async () => {
  const { views, ask, compute } = given();
  const slow = async () => {
    const answer = await compute();
    views.checkpoint = 2;
    return answer;
  };
  expect([await ask('a', slow), await ask('a'), await ask('a')]).toEqual(['1', '2', '2']);
});

it('remembers so many answers and no more', async () => {
  const { ask } = given();
  for (let question = 0; question < 51; question += 1) await ask(`q${question}`);
  expect([await ask('q1'), await ask('q0')]).toEqual(['2', '52']);
});

it('asks again after an error', async () => {
  const { ask } = given();
  await expect(ask('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await ask()).toBe('1');
});

it('gives a large answer for a minute while events come, and renews it after 20 s', async () => {
  const { views, ask, wait } = given(2_001);
  await ask();
  views.checkpoint = 2;
  wait(19);
  expect([await ask(), await ask()]).toEqual(['1 older', '1 older']);
  wait(1);
  expect(await ask()).toBe('1 older');
  expect(await ask()).toBe('2');
  views.checkpoint = 3;
  expect(await ask()).toBe('2 older');
  wait(60);
  expect(await ask()).toBe('3');
});

it('renews a large answer once for all who ask meanwhile', async () => {
  const { views, ask, wait, compute } = given(2_001);
  await ask();
  views.checkpoint = 2;
  wait(20);
  const { begun, slow, goOn } = held(compute);
  expect([await ask('a', slow('a')), await ask('a', slow('a'))]).toEqual(['1 older', '1 older']);
  goOn();
  await expect.poll(() => ask()).toBe('2');
  expect(begun).toEqual(['a']);
});

it('renews again after an error, which nobody is told of before the minute is over', async () => {
  const { views, ask, wait } = given(2_001);
  await ask();
  views.checkpoint = 2;
  wait(20);
  const failing = () => Promise.reject(new Error('no'));
  expect([await ask('a', failing), await ask('a', failing)]).toEqual(['1 older', '1 older']);
  wait(40);
  await expect(ask('a', failing)).rejects.toThrow('no');
});

it('renews answers one after the other', async () => {
  const { views, ask, wait, compute } = given(2_001);
  await ask('a');
  await ask('b');
  views.checkpoint = 2;
  wait(20);
  const { begun, slow, goOn } = held(compute);
  expect([await ask('a', slow('a')), await ask('b', slow('b'))]).toEqual(['1 older', '2 older']);
  expect(begun).toEqual(['a']);
  goOn();
  await expect.poll(() => ask('b')).toBe('4');
  expect(begun).toEqual(['a', 'b']);
});

it('does not renew what was computed anew meanwhile', async () => {
  const { views, ask, wait, compute } = given(2_001);
  await ask('a');
  await ask('b');
  views.checkpoint = 2;
  wait(20);
  const { begun, slow, goOn } = held(compute);
  await ask('a', slow('a'));
  await ask('b', slow('b'));
  wait(40);
  expect(await ask('b')).toBe('3');
  goOn();
  await expect.poll(() => ask('a')).toBe('4');
  expect(begun).toEqual(['a']);
});

it('computes a large answer at once after a rebuild, or when the clock was set back', async () => {
  const { views, ask, wait } = given(2_001);
  await ask();
  views.generation = 2;
  expect(await ask()).toBe('2');
  views.checkpoint = 2;
  wait(-1);
  expect(await ask()).toBe('3');
});
