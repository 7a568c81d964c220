/** Which sessions may count what belongs to another one. */
import { describe, expect, it } from 'vitest';
import type { FileChild } from '../../../collector/reconcile/files/file-children.ts';
import type { FileSession } from '../../../collector/reconcile/files/file-session.ts';
import { createKin } from '../../../collector/reconcile/kin.ts';

interface Given {
  /** By session: of whom it holds copies. */
  readonly copies?: Readonly<Record<string, readonly string[]>>;
  /** By session: what the headers of its files name as parents. */
  readonly parents?: Readonly<Record<string, readonly (string | null)[]>>;
  readonly children?: readonly (readonly [child: string, parent: string])[];
  readonly repeaters?: Readonly<Record<string, readonly string[]>>;
}

function kinOf({ copies = {}, parents = {}, children = [], repeaters = {} }: Given) {
  const ids = new Set([...Object.keys(copies), ...Object.keys(parents)]);
  const sessions = [...ids].map((sessionId) => ({
    sessionId,
    copies: new Map((copies[sessionId] ?? []).map((owner) => [owner, 1])),
    files: (parents[sessionId] ?? []).map((parentSession) => ({ header: { parentSession } })),
  }));
  return createKin({
    sessions: new Map(sessions.map((each) => [each.sessionId, each as unknown as FileSession])),
    children: children.map(([sessionId, parentSessionId]): FileChild => {
      return { sessionId, parentSessionId, claimKey: 'agent:A' };
    }),
    sealedRepeaters: new Map(Object.entries(repeaters).map(([id, list]) => [id, new Set(list)])),
  });
}

describe('a family', () => {
  const familyOf = (given: Given, id: string) => [...kinOf(given).familyOf(id)].sort();

  it.each<[what: string, given: Given, family: readonly string[]]>([
    ['itself alone', { copies: { x: ['y'] } }, ['a']],
    ['those whose entries it copied', { copies: { a: ['b', 'c'] } }, ['a', 'b', 'c']],
    ['those that copied its entries', { copies: { b: ['a'], c: ['a'] } }, ['a', 'b', 'c']],
    [
      'the parent that its header names by a file',
      { parents: { a: ['/s/t_b.jsonl'] } },
      ['a', 'b'],
    ],
    ['... by its id', { parents: { a: ['b'] } }, ['a', 'b']],
    ['those that name it', { parents: { b: ['a'], c: [null, 'a'] } }, ['a', 'b', 'c']],
    [
      'whoever these lead to',
      { copies: { a: ['b'], c: ['b'] }, parents: { c: ['d'] } },
      ['a', 'b', 'c', 'd'],
    ],
    ['itself, though it names itself', { parents: { a: ['a'] } }, ['a']],
    ['no session whose tools claim its answers', { children: [['a', 'b']] }, ['a']],
  ])('is %s', (_what, given, family) => expect(familyOf(given, 'a')).toEqual(family));
});

describe('those that may claim what a session spent', () => {
  const claimersOf = (given: Given, id: string) => [...kinOf(given).claimersOf(id)].sort();

  it.each<[what: string, given: Given, claimers: readonly string[]]>([
    ['are none that only copied from it', { copies: { b: ['a'], a: ['c'] } }, []],
    [
      'are the sessions whose subagent it is',
      {
        children: [
          ['a', 'b'],
          ['a', 'c'],
          ['x', 'y'],
        ],
      },
      ['b', 'c'],
    ],
    [
      'are those whose results repeat its old answers',
      { repeaters: { a: ['b'], x: ['y'] } },
      ['b'],
    ],
    [
      'are the parents that its headers name',
      { parents: { a: ['/s/t_b.jsonl', 'c'] } },
      ['b', 'c'],
    ],
    ['are not those that name it', { parents: { b: ['a'] } }, []],
    ['are never itself', { children: [['a', 'a']], parents: { a: ['a'] } }, []],
  ])('%s', (_what, given, claimers) => expect(claimersOf(given, 'a')).toEqual(claimers));
});
