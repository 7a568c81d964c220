/** Subagents of one turn that spent the same. */
import { describe, expect, it } from 'vitest';
import { fileOf } from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { delegating, explained, ledgersOf, spent, working } from '../support/subagent-family.ts';

const directory = temporaryDirectory();

const parent = delegating(
  [
    ['a', 2, 1],
    ['b', 60, 2],
  ],
  [
    { id: 'c1', turn: 'a', second: 30, usage: spent(40) },
    { id: 'c2', turn: 'a', second: 31, usage: spent(40) },
  ],
);
const child = (id: string, second: number) =>
  working(id, second, [[second + 5, 40]], fileOf(parent));

describe('two subagents that spent the same, to the token', () => {
  it('count once each', async () => {
    const written = [[parent], [child('one', 5)], [child('two', 6)]] as const;
    expect(await ledgersOf(directory, written)).toEqual(explained(83));
  });

  it('count once each where one session is gone: it covers one result', async () => {
    expect(await ledgersOf(directory, [[parent], [child('one', 5)]])).toEqual(explained(83));
  });

  it('count once each where both sessions are gone', async () => {
    expect(await ledgersOf(directory, [[parent]])).toEqual(explained(83));
  });
});

it('a result that a later turn collects again is of the same subagent', async () => {
  const again = delegating(
    [
      ['a', 2, 1],
      ['b', 60, 2],
      ['c', 90, 3],
    ],
    [
      { id: 'c1', turn: 'a', second: 3 },
      { id: 'c2', turn: 'b', second: 70, usage: spent(40) },
      { id: 'c3', turn: 'c', second: 95, usage: spent(40) },
    ],
  );
  expect(await ledgersOf(directory, [[again], [child('one', 5)]])).toEqual(explained(46));
});
