/** Whose children subagents are, by the path of their file, and by name and time. */
import { expect, it } from 'vitest';
import {
  childrenOf,
  type NamedClaim,
} from '../../../../collector/reconcile/files/file-children.ts';

const parent = { path: '/s/time_parent.jsonl', sessionId: 'parent', timeMs: 0 };
const child = { path: '/s/time_parent/A.jsonl', sessionId: 'child', timeMs: 100 };
const deep = { path: '/s/time_parent/A/A.B.jsonl', sessionId: 'deep', timeMs: 100 };

const claim = (more: Partial<NamedClaim> = {}): NamedClaim => ({
  claimKey: 'agent:A',
  sessionId: 'fork',
  turnAtMs: 90,
  timeMs: 110,
  ...more,
});

/** `child of parent as key`. */
function found(files: readonly (typeof parent)[], claims: readonly NamedClaim[] = []) {
  const read = files.map(({ path, sessionId, timeMs }) => ({
    path,
    bytes: 1,
    changedAtMs: 0,
    header: { sessionId, timeMs, cwd: null, parentSession: null, version: 3 },
  }));
  const sessions = new Map(read.map((file) => [file.header.sessionId, file]));
  return childrenOf(read, sessions, claims).map(
    ({ sessionId, parentSessionId, claimKey }) =>
      `${sessionId} of ${parentSessionId} as ${claimKey}`,
  );
}

it('is the session whose directory the file is in, if that is known', () => {
  expect(found([parent, child])).toEqual(['child of parent as agent:A']);
  expect(found([child, deep])).toEqual(['deep of child as agent:A.B']);
  expect(found([child])).toEqual([]);
  const elsewhere = { ...parent, path: '/other/time_parent.jsonl' };
  expect(found([elsewhere, child])).toEqual(['child of parent as agent:A']);
  const chosen = { ...parent, path: '/other/time_my_run.jsonl', sessionId: 'my_run' };
  const its = { ...child, path: '/s/time_my_run/A.jsonl' };
  expect(found([chosen, its])).toEqual(['child of my_run as agent:A']);
  const odd = { ...child, path: '/time_x.jsonl/time_parent/A.jsonl' };
  expect(found([elsewhere, odd])).toEqual(['child of parent as agent:A']);
});

it('is also each session that claims one of its name while it began', () => {
  const claims = [claim(), claim(), claim({ sessionId: 'other', turnAtMs: 100, timeMs: 100 })];
  const others = ['child of fork as agent:A', 'child of other as agent:A'];
  expect(found([child], claims)).toEqual(others);
  expect(found([parent, child], claims)).toEqual(['child of parent as agent:A', ...others]);
  expect(found([child], [claim({ turnAtMs: null })])).toEqual(['child of fork as agent:A']);
});

it.each([
  ['before it began', { timeMs: 99 }],
  ['in a later turn', { turnAtMs: 101 }],
  ['one of another name', { claimKey: 'agent:B' }],
  ['itself', { sessionId: 'child' }],
])('is no session that claims %s', (_what, more) => {
  expect(found([child], [claim(more)])).toEqual([]);
});
