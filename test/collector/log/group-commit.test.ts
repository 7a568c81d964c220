import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createGroupCommit } from '../../../collector/log/group-commit.ts';

function createRecording(
  options: { groupWeightMax?: number; waitingWeightMax?: number; failing?: string } = {},
) {
  const groups: string[][] = [];
  const group = createGroupCommit<string, string>({
    commit(items) {
      groups.push([...items]);
      if (options.failing !== undefined && items.includes(options.failing))
        throw new Error('disk full');
      return items.map((item) => `${item}!`);
    },
    weigh: (item) => item.length,
    groupWeightMax: options.groupWeightMax ?? 100,
    waitingWeightMax: options.waitingWeightMax ?? 1_000,
  });
  return { group, groups };
}

describe('group commit', () => {
  it('commits what arrives together once, and answers each item with its own result', async () => {
    const { group, groups } = createRecording();
    expect(await Promise.all(['a', 'b', 'c'].map((item) => group.add(item)))).toEqual([
      'a!',
      'b!',
      'c!',
    ]);
    expect(groups).toEqual([['a', 'b', 'c']]);
  });

  it('commits what arrives later apart', async () => {
    const { group, groups } = createRecording();
    await group.add('a');
    await group.add('b');
    expect(groups).toEqual([['a'], ['b']]);
  });

  it('respects the weight of a group, in order, and commits a heavier item alone', async () => {
    const { group, groups } = createRecording({ groupWeightMax: 4 });
    await Promise.all(['aa', 'bb', 'c', 'dddddd', 'e'].map((item) => group.add(item)));
    expect(groups).toEqual([['aa', 'bb'], ['c'], ['dddddd'], ['e']]);
  });

  it('rejects every item of a group that failed, and only those', async () => {
    const { group } = createRecording({ failing: 'b' });
    const first = await Promise.allSettled([group.add('a'), group.add('b')]);
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await group.add('c')).toBe('c!');
  });

  it('refuses more than may wait, and takes more once that is committed', async () => {
    const { group } = createRecording({ waitingWeightMax: 3 });
    const taken = Promise.all([group.add('aa'), group.add('b')]);
    await expect(group.add('c')).rejects.toThrow('wait');
    await taken;
    await nextTurn();
    expect(await group.add('cccccc')).toBe('cccccc!');
  });

  it('groups items added during a commit, never runs two, and waits for it on close', async () => {
    const groups: string[][] = [];
    let running = 0;
    const group = createGroupCommit<string, string>({
      async commit(items) {
        running += 1;
        expect(running).toBe(1);
        groups.push([...items]);
        await sleep(5);
        running -= 1;
        return items;
      },
      weigh: () => 1,
      groupWeightMax: 100,
      waitingWeightMax: 100,
    });
    const first = group.add('a');
    await expect.poll(() => groups).toHaveLength(1);
    const later = [group.add('b'), group.add('c')];
    await nextTurn();
    await group.close();
    expect(await Promise.all([first, ...later])).toEqual(['a', 'b', 'c']);
    expect(groups).toEqual([['a'], ['b', 'c']]);
    await expect(group.add('d')).rejects.toThrow('closed');
  });
});
