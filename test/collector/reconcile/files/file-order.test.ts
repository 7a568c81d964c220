/** In which order files are read: the first one that holds a record owns it. */
import { expect, it } from 'vitest';
import { inOrder } from '../../../../collector/reconcile/files/file-order.ts';

type Given = readonly [id: string, timeMs: number, parent?: string | null, path?: string];

/** The paths, the first to be read in front. */
function order(files: readonly Given[]): readonly string[] {
  const headed = files.map(([id, timeMs, parent = null, path = id]) => ({
    path,
    header: { sessionId: id, timeMs, cwd: null, parentSession: parent, version: 3 },
  }));
  const orders = [headed, headed.toReversed()].map((each) => inOrder(each).map(({ path }) => path));
  expect(orders[1]).toEqual(orders[0]);
  return orders[0] ?? [];
}

it.each<[what: string, files: readonly Given[], expected: readonly string[]]>([
  [
    'by their headers’ times',
    [
      ['b', 2],
      ['a', 3],
      ['c', 1],
    ],
    ['c', 'b', 'a'],
  ],
  [
    'of one time, by their paths',
    [
      ['x', 1, null, 'b'],
      ['y', 1, null, 'a'],
      ['z', 1, null, 'c'],
    ],
    ['a', 'b', 'c'],
  ],
  [
    'a fork after its parent, if its clock was set back',
    [
      ['fork', 1, 'old'],
      ['old', 5],
    ],
    ['old', 'fork'],
  ],
  [
    '... named by its file',
    [
      ['fork', 1, '/s/time_old.jsonl'],
      ['old', 5],
    ],
    ['old', 'fork'],
  ],
  [
    '... named by a file whose name tells no session',
    [
      ['fork', 1, '/moved/s/mine/talk.jsonl', 'f'],
      ['old', 5, null, '/s/mine/talk.jsonl'],
      ['other', 9, null, '/s/other/talk.jsonl'],
    ],
    ['/s/mine/talk.jsonl', 'f', '/s/other/talk.jsonl'],
  ],
  [
    '... and before what began later than that',
    [
      ['fork', 1, 'old'],
      ['old', 5],
      ['a', 6],
    ],
    ['old', 'fork', 'a'],
  ],
  [
    '... and of the same time',
    [
      ['a-fork', 5, 'old'],
      ['old', 5],
    ],
    ['old', 'a-fork'],
  ],
  [
    'a fork of a fork after both',
    [
      ['a', 1, 'b'],
      ['b', 2, 'c'],
      ['c', 9],
      ['d', 9],
    ],
    ['c', 'd', 'b', 'a'],
  ],
  [
    'a fork with a later time of its own by that',
    [
      ['a', 7, 'b'],
      ['b', 2, 'c'],
      ['c', 5],
      ['x', 6],
    ],
    ['c', 'b', 'x', 'a'],
  ],
  [
    'two forks of one parent by their paths',
    [
      ['y', 1, 'p'],
      ['x', 2, 'p'],
      ['p', 9],
    ],
    ['p', 'x', 'y'],
  ],
  [
    'one whose parent has no file by its own time',
    [
      ['a', 2, 'gone'],
      ['b', 1],
    ],
    ['b', 'a'],
  ],
  [
    'sessions that name themselves',
    [
      ['a', 2, 'a'],
      ['b', 1],
    ],
    ['b', 'a'],
  ],
  [
    'two that name each other',
    [
      ['a', 1, 'b'],
      ['b', 2, 'a'],
      ['c', 3],
    ],
    ['b', 'a', 'c'],
  ],
  [
    'all files of a session by the oldest of them',
    [
      ['fork', 1, 'p', 'f'],
      ['p', 9, null, 'a'],
      ['p', 5, null, 'b'],
      ['x', 6],
    ],
    ['a', 'b', 'f', 'x'],
  ],
])('%s', (_what, files, expected) => expect(order(files)).toEqual(expected));
