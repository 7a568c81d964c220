/** What packages sum up of a subagent, and what tells that a sum is of one. */
import { describe, expect, it } from 'vitest';
import {
  append,
  type FakeSession,
  fileOf,
  toolCall,
  toolResult,
  answer as turn,
} from '../../../extension/support/fake-session.ts';
import { stemOf } from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  at,
  delegating,
  explained,
  ledgersOf,
  spent,
  type Written,
  working,
} from '../support/subagent-family.ts';

const directory = temporaryDirectory();

/** An entry that is no answer and spends 30. */
const entries: readonly [what: string, append: (child: FakeSession) => void][] = [
  ['a compaction', (child) => append(child, 'x', at(12), { type: 'compaction', ...summary })],
  ['a summary', (child) => append(child, 'x', at(12), { type: 'branch_summary', ...summary })],
  [
    'a warming of the cache',
    (child) => append(child, 'x', at(12), { type: 'usage', kind: 'cache_warm', usage: spent(30) }),
  ],
  [
    'what a tool spent',
    (child) => {
      append(child, 'y', at(11), turn('y', { content: [toolCall('v', 'vision')], usage: null }));
      const { message, ...rest } = toolResult('v', 'vision');
      append(child, 'x', at(12), { ...rest, message: { ...message, usage: spent(30) } });
    },
  ],
];
const summary = { summary: 'x', usage: spent(30) };

const parentSaying = (usage: object, details?: Record<string, unknown>) =>
  delegating(
    [['a', 2, 1]],
    [{ id: 'c1', turn: 'a', second: 30, usage, ...(details && { details }) }],
  );

describe('a subagent whose header names the parent', () => {
  it.each(entries)('counts once with %s that its result says, too', async (_what, add) => {
    expect(await ledgersOf(directory, family(spent(40, 30), add))).toEqual(explained(71));
  });

  it.each(entries)('counts once with %s that its result does not say', async (_what, add) => {
    expect(await ledgersOf(directory, family(spent(40), add))).toEqual(explained(71));
  });
});

it.each(entries)('a subagent that its result names counts once with %s', async (_what, add) => {
  const child = working('child', 5, [[10, 40]]);
  add(child);
  const parent = parentSaying(spent(40, 30), { results: [{ sessionId: 'child' }] });
  expect(await ledgersOf(directory, [[parent], [child]])).toEqual(explained(71));
});

it.each(entries)('a session that nothing ties is found with %s', async (_what, add) => {
  const child = working('child', 5, [[10, 40]]);
  add(child);
  const found = await ledgersOf(directory, [[parentSaying(spent(40, 30))], [child]]);
  const twice = { input: 141, code: 1, faults: ['counted_twice'] };
  expect(found).toEqual([twice, twice, twice]);
});

it('a result may say what the subagent’s own subagent spent, too', async () => {
  const child = working('child', 5, [[10, 40]]);
  append(child, 'y', at(11), turn('y', { content: [toolCall('d', 'subagent')], usage: spent(7) }));
  const { message, ...rest } = toolResult('d', 'subagent', false, {
    results: [{ sessionId: 'deep' }],
  });
  append(child, 'x', at(20), { ...rest, message: { ...message, usage: spent(60) } });
  const deep = working('deep', 12, [[13, 60]]);
  const parent = parentSaying(spent(40, 7, 60), { results: [{ sessionId: 'child' }] });
  expect(await ledgersOf(directory, [[parent], [child], [deep]])).toEqual(explained(108));
});

it('a session in a folder of its own name is no subagent of itself: its claims count', async () => {
  const details = { results: [{ id: 'Gone', index: 0, usage: spent(30) }] };
  const parent = delegating([['a', 2, 1]], [{ id: 'c1', turn: 'a', second: 30, details }]);
  const written: Written = [parent, `${stemOf(parent)}/session.jsonl`];
  expect(await ledgersOf(directory, [written])).toEqual(explained(31));
});

it('one of two whose sums are in the details alone is gone: no fault', async () => {
  const results = [
    { sessionId: 'child', usage: spent(40) },
    { sessionId: 'gone', usage: spent(60) },
  ];
  const parent = delegating(
    [['a', 2, 1]],
    [{ id: 'c1', turn: 'a', second: 30, details: { results } }],
  );
  const child = working('child', 5, [[10, 40]]);
  expect(await ledgersOf(directory, [[parent], [child]])).toEqual(explained(101));
});

function family(usage: object, add: (child: FakeSession) => void): readonly Written[] {
  const parent = parentSaying(usage);
  const child = working('child', 5, [[10, 40]], fileOf(parent));
  add(child);
  return [[parent], [child]];
}
