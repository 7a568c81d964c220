/** A subagent that was forked, and whose own file is gone: only its header named the parent. */
import { describe, expect, it } from 'vitest';
import { append, fileOf, fork, answer as turn } from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  at,
  delegating,
  explained,
  ledgersOf,
  spent,
  working,
} from '../support/subagent-family.ts';

const directory = temporaryDirectory();

const parent = delegating([['a', 2, 1]], [{ id: 'c1', turn: 'a', second: 30, usage: spent(40) }]);
const child = working('child', 5, [[10, 40]], fileOf(parent));
const forked = fork(child, 'forked', at(600));
append(forked, 'f1', at(700), turn('f1', { usage: spent(500) }));

describe('a subagent whose header names the parent, and that was forked', () => {
  it('counts once', async () => {
    expect(await ledgersOf(directory, [[parent], [child], [forked]])).toEqual(explained(541));
  });

  it('counts once where its own file is gone', async () => {
    expect(await ledgersOf(directory, [[parent], [forked]])).toEqual(explained(541));
  });

  it('is not meant by a result of another day', async () => {
    const later = delegating(
      [['a', 90_000, 1]],
      [{ id: 'c1', turn: 'a', second: 90_030, usage: spent(40) }],
    );
    expect(await ledgersOf(directory, [[later], [forked]])).toEqual(explained(581));
  });
});
