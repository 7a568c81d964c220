/** What is left of a parent's claims beside the session files of its subagents. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { computeRests } from '../../../../collector/reconcile/claims.ts';
import { booksOfFiles } from '../../../../collector/reconcile/files/file-books.ts';
import {
  append,
  type FakeSession,
  fileOf,
  toolCall,
  toolResult,
  answer as turn,
} from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import { stemOf } from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { readFacts } from '../support/read-facts.ts';
import {
  at,
  type Call,
  delegating,
  placeBelow,
  spent,
  type Written,
  working,
} from '../support/subagent-family.ts';

const directory = temporaryDirectory();

function factsOf(written: readonly Written[]) {
  const home = mkdtempSync(join(directory, 'family-'));
  for (const [session, name] of written) writeSession(home, session, name);
  return readFacts([home]);
}

/** `session key input`. */
function leftOf(...written: readonly Written[]): readonly string[] {
  return [...booksOfFiles(factsOf(written))].flatMap(([session, book]) =>
    [...computeRests(book)].map(([key, { inputTokens }]) => `${session} ${key} ${inputTokens}`),
  );
}

/** Turn a at second 2, turn b at second 60. */
const parentWith = (...calls: readonly Omit<Call, 'id'>[]) =>
  delegating(
    [
      ['a', 2, 1],
      ['b', 60, 2],
    ],
    calls.map((call, index) => ({ ...call, id: `c${index}` })),
  );
const named = { results: [{ sessionId: 'child' }] };
const sum = (input: number, second = 30, details: Call['details'] | null = named) => ({
  turn: 'a',
  second,
  usage: spent(input),
  ...(details && { details }),
});

/** What a subagent spends beside its answers: 30. */
const beside: readonly [what: string, add: (child: FakeSession, second: number) => void][] = [
  [
    'a compaction',
    (child, second) =>
      append(child, 'x', at(second), { type: 'compaction', summary: 's', usage: spent(30) }),
  ],
  [
    'a warming of the cache',
    (child, second) =>
      append(child, 'x', at(second), { type: 'usage', kind: 'cache_warm', usage: spent(30) }),
  ],
  [
    'what its tool spent',
    (child, second) => {
      append(child, 'y', at(second - 1), turn('y', { content: [toolCall('v', 'v')], usage: null }));
      const { message, ...rest } = toolResult('v', 'v');
      append(child, 'x', at(second), { ...rest, message: { ...message, usage: spent(30) } });
    },
  ],
];

/** By its header, and by name: how a result is known to be about it. */
const ways: readonly [how: string, details: Call['details'] | null, isNamed: boolean][] = [
  ['its header names the parent', {}, true],
  ['its header names the parent, and the result has no details', null, true],
  ['its header names the parent, and the result an empty name', { sessionId: '' }, true],
  ['the result names it', named, false],
];

describe.each(ways)('of a subagent, where %s', (_how, details, isNamed) => {
  const childOf = (answers: Parameters<typeof working>[2]) =>
    working('child', 5, answers, isNamed ? fileOf(parentWith()) : undefined);

  it('nothing is left where the result says what it answered', () => {
    expect(leftOf([parentWith(sum(40, 30, details))], [childOf([[10, 40]])])).toEqual([]);
  });

  it.each(beside)('nothing is left where the result says that and %s', (_what, add) => {
    const child = childOf([[10, 40]]);
    add(child, 12);
    const parent = parentWith({ ...sum(0, 30, details), usage: spent(40, 30) });
    expect(leftOf([parent], [child])).toEqual(isToolIn(child) ? ['child turn:y 30'] : []);
  });

  it.each(beside)('nothing is left where the result says that without %s', (_what, add) => {
    const child = childOf([[10, 40]]);
    add(child, 12);
    const parent = parentWith(sum(40, 30, details));
    expect(leftOf([parent], [child])).toEqual(isToolIn(child) ? ['child turn:y 30'] : []);
  });
});

/** That is a claim of its own, which counts where it stands. */
function isToolIn({ entries }: FakeSession): boolean {
  return entries.some(({ id }) => id === 'y');
}

it('what a subagent’s tool spent covers no part of another one', () => {
  const child = working('child', 5, [[10, 40]]);
  const [, , [, addTool] = []] = beside;
  addTool?.(child, 12);
  const left = leftOf([parentWith(sum(60, 30, named))], [child]);
  expect(left).toEqual(['parent turn:a 20', 'child turn:y 30']);
});

describe('what a subagent spent after its result', () => {
  const goneOn = working('child', 5, [
    [10, 40],
    [1_800, 500],
  ]);

  it.each<[what: string, parent: FakeSession, left: readonly string[]]>([
    ['another one’s part', parentWith(sum(100)), ['parent turn:a 60']],
    [
      'another one’s part that the details say',
      parentWith({
        turn: 'a',
        second: 30,
        details: {
          results: [
            { session: { id: 'child' }, usage: spent(40) },
            { session: { id: 'gone' }, usage: spent(60) },
          ],
        },
      }),
      ['parent turn:a 60'],
    ],
    ['what the tool spent itself', parentWith(sum(47)), ['parent turn:a 7']],
    ['the result of that moment', parentWith(sum(40, 10)), []],
    ['a result from before', parentWith(sum(40, 9)), ['parent turn:a 40']],
    [
      'nothing of a later result, which is covered by it',
      parentWith(sum(40), { ...sum(500, 1_900), turn: 'b' }),
      [],
    ],
  ])('covers nothing of it: %s', (_what, parent, left) => {
    expect(leftOf([parent], [goneOn])).toEqual(left);
    expect(leftOf([parent], [goneOn, placeBelow(parent, 'run')])).toEqual(left);
  });

  it.each(beside.slice(0, 2))('covers nothing of it: %s', (_what, add) => {
    const parent = parentWith({ ...sum(0), usage: spent(40, 30) });
    const [before, after] = [12, 40].map((second) => {
      const child = working('child', 5, [[10, 40]]);
      add(child, second);
      if (second < 40) append(child, 'z', at(50), turn('z', { usage: spent(500) }));
      return leftOf([parent], [child]);
    });
    expect(before).toEqual([]);
    expect(after).toEqual(['parent turn:a 30']);
  });

  it.each(beside.slice(0, 2))('leaves another one’s part uncovered, as does %s', (_what, add) => {
    for (const isLate of [false, true]) {
      const child = working('child', 5, [[10, 40]]);
      add(child, 12);
      if (isLate) append(child, 'z', at(50), turn('z', { usage: spent(500) }));
      expect(leftOf([parentWith(sum(60))], [child])).toEqual(['parent turn:a 20']);
      const details = { results: [{ session: { id: 'child' }, usage: spent(60) }] };
      const said = parentWith({ turn: 'a', second: 30, details });
      expect(leftOf([said], [child])).toEqual(['parent turn:a 20']);
    }
  });

  it('is apart from what it spent beside answers, which tools and claims are not', () => {
    const compaction = { type: 'compaction', summary: 's', usage: spent(9) };
    const nested = { results: [{ sessionId: 'gone', usage: spent(8) }] };
    const ways = [
      { more: { usage: spent(30) }, said: [40, 1, 9] },
      { more: { details: nested }, said: [40, 1, 8, 9] },
    ];
    for (const { more, said } of ways) {
      const child = working('child', 5, [[10, 40]]);
      append(child, 'x', at(11), compaction);
      append(child, 'y', at(12), turn('y', { content: [toolCall('v', 'v')], usage: spent(1) }));
      const { message, ...rest } = toolResult('v', 'v');
      append(child, 'w', at(13), { ...rest, message: { ...message, ...more } });
      append(child, 'z', at(50), turn('z', { usage: spent(500) }));
      const parent = parentWith({ ...sum(0), usage: spent(...said) });
      const left = leftOf([parent], [child]).filter((line) => line.startsWith('parent'));
      expect(left).toEqual([]);
    }
  });

  it('is not looked for where nothing comes after a claim: its file is read once', () => {
    const read = (parent: FakeSession, ...written: readonly Written[]) => {
      const facts = factsOf([[parent], ...written]);
      const unitsOf = () => expect.fail('it is read again');
      return booksOfFiles({ ...facts, unitsOf }).has('parent');
    };
    const child = working('child', 5, [
      [10, 40],
      [20, 60],
    ]);
    expect(read(parentWith(sum(100, 20)), [child])).toBe(true);
    expect(read(parentWith(sum(100, 9)), [child])).toBe(true);
    const agent = { results: [{ id: 'Kid', index: 0, usage: spent(40) }] };
    const omp = parentWith({ turn: 'a', second: 15, details: agent });
    expect(read(omp, [child, `${stemOf(omp)}/Kid.jsonl`])).toBe(true);
  });
});

describe('a subagent whose answers a result repeats', () => {
  const child = working('child', 5, [
    [10, 40],
    [25, 60],
    [90, 500],
  ]);
  const messages = child.entries.flatMap(({ message }) => (message ? [message] : []));
  const [, first] = messages;
  const repeat = { turn: 'a', second: 20, details: { results: [{ messages: [first] }] } };

  it('covers a sum of that turn without them', () => {
    const [later, all] = [100, 60].map((input) =>
      leftOf([parentWith(repeat, sum(input, 30, {}))], [child]),
    );
    expect(later).toEqual(['parent turn:a 40']);
    expect(all).toEqual([]);
  });

  it('covers nothing of another turn', () => {
    const other = { ...sum(60, 70, {}), turn: 'b' };
    expect(leftOf([parentWith(repeat, other)], [child])).toEqual(['parent turn:b 60']);
  });

  it('has what it spent beside answers once, though two turns repeat some', () => {
    const [, , second] = messages;
    const later = { turn: 'b', second: 65, details: { results: [{ messages: [second] }] } };
    const compacted = working('child', 5, [
      [10, 40],
      [25, 60],
      [50, 2],
    ]);
    append(compacted, 'x', at(26), { type: 'compaction', summary: 's', usage: spent(30) });
    const rest = { ...sum(0, 96, {}), turn: 'b', usage: spent(2, 30) };
    expect(leftOf([parentWith(repeat, later, rest)], [compacted])).toEqual([]);
    expect(leftOf([parentWith({ ...repeat, second: 55 }, later, rest)], [compacted])).toEqual([]);
  });

  it.each([20, 27])('covers no sum where all are repeated, by second %d', (second) => {
    const compacted = working('child', 5, [[10, 40]]);
    append(compacted, 'x', at(26), { type: 'compaction', summary: 's', usage: spent(30) });
    const parent = parentWith({ ...repeat, second }, sum(30, 55, {}));
    expect(leftOf([parent], [compacted])).toEqual(['parent turn:a 30']);
  });
});

it('of omp’s subagents nobody sums up what their hosts spent beside answers', () => {
  const child = working('child', 5, [[10, 40]]);
  append(child, 'x', at(12), { type: 'compaction', summary: 's', usage: spent(30) });
  const details = { results: [{ id: 'Kid', index: 0, usage: spent(40, 30) }] };
  const parent = parentWith({ turn: 'a', second: 30, details });
  expect(leftOf([parent], [child, `${stemOf(parent)}/Kid.jsonl`])).toEqual(['parent agent:Kid 30']);
});

describe('what a subagent’s own subagent spent', () => {
  const deep = working('deep', 12, [[13, 60]]);
  const child = working('child', 5, [[10, 40]]);
  append(child, 'y', at(11), turn('y', { content: [toolCall('d', 'd')], usage: spent(7) }));
  const { message, ...rest } = toolResult('d', 'd', false, { results: [{ sessionId: 'deep' }] });
  append(child, 'x', at(20), { ...rest, message: { ...message, usage: spent(60) } });

  it('may be in the sum of the parent’s result', () => {
    const parent = parentWith({ ...sum(0), usage: spent(40, 7, 60) });
    expect(leftOf([parent], [child], [deep])).toEqual([]);
  });

  it('counts with the subagent’s result where its session is gone', () => {
    const parent = parentWith({ ...sum(0), usage: spent(40, 7, 60) });
    expect(leftOf([parent], [child])).toEqual(['child turn:y 60']);
  });
});

it('an answer that had a price alone covers that', () => {
  const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: 0.001 } };
  const child = working('child', 5, []);
  append(child, 'k', at(10), turn('k', { usage: free }));
  const other = working('other', 5, []);
  const parent = parentWith({ ...sum(0, 30, named), usage: free });
  expect(leftOf([parent], [child])).toEqual([]);
  expect(leftOf([parent], [other])).toEqual(['parent turn:a 0']);
});

describe('a session that a result names', () => {
  const childrenOf = (...written: readonly Written[]) =>
    factsOf(written).children.map(
      ({ sessionId, parentSessionId, claimKey }) =>
        `${sessionId} of ${parentSessionId} as ${claimKey}`,
    );
  const child = working('child', 5, [[10, 40]]);
  const twice = parentWith(sum(20), sum(20, 40));

  it('is a child of the session, once', () => {
    expect(childrenOf([twice], [child])).toEqual(['child of parent as session:child']);
    const { ties, results } = factsOf([[twice], [child]]);
    expect(ties.map(({ entryId, sessionId }) => `${entryId} ${sessionId}`)).toEqual([
      'of-c0 child',
      'of-c1 child',
    ]);
    expect(results.map(({ entryId, tokens }) => [entryId, tokens.input])).toEqual([
      ['of-c0', 20],
      ['of-c1', 20],
    ]);
  });

  it('is a child by its place, where that tells', () => {
    const kid = `${stemOf(twice)}/Kid.jsonl`;
    expect(childrenOf([twice], [child, kid])).toEqual(['child of parent as agent:Kid']);
  });

  it('is none where the name is another one’s', () => {
    expect(childrenOf([twice], [working('other', 5, [[10, 1]])])).toEqual([]);
  });
});
