/** Subagents of a private stretch that its results do not name: by their answers and by sums. */
import { describe, expect, it } from 'vitest';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
  newSession,
} from '../../../extension/support/fake-session.ts';
import { at, mark, parentWith, result } from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import type { Written } from '../support/subagent-family.ts';
import { privatePartsIn } from './support/private-parts.ts';

const directory = temporaryDirectory();
const parentFile = fileOf(parentWith({}));

type Counts = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];
const usageOf = ([input, output, cacheRead, cacheWrite]: Counts) => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});
const turn = (id: string, counts: Counts) => answer(id, { usage: usageOf(counts) });
const one: Counts = [40, 4, 400, 0];
const two: Counts = [60, 6, 0, 7];
const three: Counts = [25, 2, 0, 0];
const firstTwo: Counts = [100, 10, 400, 7];

/** A subagent with these entries, by default three answers; its header names the parent's file. */
function childWith(
  bodies: readonly Record<string, unknown>[] = [one, two, three].map((counts, index) =>
    turn(`k${index}`, counts),
  ),
  { minute = 12, parentSession = parentFile }: { minute?: number; parentSession?: string } = {},
): FakeSession {
  const child = newSession('child', at(minute), { parentSession });
  for (const [index, body] of bodies.entries()) append(child, `k${index}`, at(minute), body);
  return child;
}

const wholeOf = (...written: readonly Written[]) => privatePartsIn(directory, written).whole;

describe('a subagent whose answers a result repeats', () => {
  const child = childWith(undefined, { parentSession: '' });
  const messages = child.entries.flatMap(({ message }) => (message ? [message] : []));
  const repeating = (...repeated: readonly unknown[]) =>
    parentWith({ details: { results: [{ messages: repeated }] } });

  it('is private if that is its first one', () => {
    expect(wholeOf([repeating(...messages)], [child])).toEqual(['child']);
    expect(wholeOf([repeating(messages[0])], [child])).toEqual(['child']);
    expect(wholeOf([repeating(messages[1])], [child])).toEqual([]);
  });

  it('is private if it says something else before', () => {
    const later = childWith([result(), ...child.entries], { parentSession: '' });
    expect(wholeOf([repeating(messages[0])], [later])).toEqual(['child']);
  });

  it('is public if it has none, however many others do', () => {
    const silent = childWith([{ type: 'compaction', usage: usageOf(one) }], { parentSession: '' });
    expect(wholeOf([repeating(...messages)], [silent])).toEqual([]);
  });

  it.each([5, 21])('is public if it began at minute %d, out of the stretch', (minute) => {
    const other = childWith(undefined, { minute, parentSession: '' });
    expect(wholeOf([repeating(...messages)], [other])).toEqual([]);
  });

  it('is not meant where another session has only copied that answer', () => {
    const copied = fork(childWith(undefined, { minute: 2, parentSession: '' }), 'copy', at(12));
    append(copied, 'own', at(13), turn('own', two));
    expect(wholeOf([repeating(messages[0])], [copied])).toEqual([]);
  });

  it('is private also if a result after the stretch repeats them', () => {
    const waiting = parentWith({});
    append(waiting, 't2', at(22), result({ details: { results: [{ messages }] } }));
    expect(wholeOf([waiting], [child])).toEqual(['child']);
  });
});

describe('a subagent that a result sums up', () => {
  const sums = (counts: Counts, details?: object) =>
    parentWith({ usage: usageOf(counts), ...(details && { details }) });

  it.each<[what: string, counts: Counts]>([
    ['all of its answers', [125, 12, 400, 7]],
    ['the first of them', firstTwo],
    ['the last of them, as after an earlier result', [85, 8, 0, 7]],
    ['one in the middle', two],
  ])('is private where the sum is that of %s', (_what, counts) => {
    expect(wholeOf([sums(counts)], [childWith()])).toEqual(['child']);
  });

  it.each<[what: string, counts: Counts]>([
    ['answers that are not in a row', [65, 6, 400, 0]],
    ['one input token more', [101, 10, 400, 7]],
    ['one output token less', [100, 9, 400, 7]],
    ['other tokens read from the cache', [100, 10, 401, 7]],
    ['other tokens written to it', [100, 10, 400, 8]],
    ['nothing', [0, 0, 0, 0]],
  ])('is public where the sum is that of %s', (_what, counts) => {
    expect(wholeOf([sums(counts)], [childWith()])).toEqual([]);
  });

  it('is not known by a sum of nothing, though it reported nothing', () => {
    const silent = childWith([answer('k', { usage: usageOf([0, 0, 0, 0]) })]);
    expect(wholeOf([sums([0, 0, 0, 0])], [silent])).toEqual([]);
  });

  it.each<[where: string, parent: FakeSession]>([
    ['the details', parentWith({ details: { results: [{ usage: usageOf(firstTwo) }] } })],
    [
      'one of several results',
      parentWith({
        details: { results: [{ usage: usageOf([1, 1, 1, 1]) }, { usage: usageOf(firstTwo) }] },
      }),
    ],
    [
      'a result that speaks of a file that is no session',
      sums(firstTwo, { sessionFile: '/x/a.jsonl.md' }),
    ],
    [
      'a result that names nothing',
      sums(firstTwo, { sessionId: '', sessionFile: 7, results: 'x' }),
    ],
  ])('is private where the sum stands in %s', (_where, parent) => {
    expect(wholeOf([parent], [childWith()])).toEqual(['child']);
  });

  it.each<[where: string, parent: FakeSession]>([
    ['that names another subagent', sums(firstTwo, { sessionId: 'other' })],
    ['that names another one’s file', sums(firstTwo, { results: [{ sessionFile: '/x/o.jsonl' }] })],
    [
      'that names another one, in the details',
      parentWith({ details: { results: [{ sessionId: 'other', usage: usageOf(firstTwo) }] } }),
    ],
    [
      'that spent something else itself',
      sums([1, 1, 1, 1], { results: [{ usage: usageOf(firstTwo) }] }),
    ],
    [
      'of an agent that has a name',
      parentWith({ details: { results: [{ id: 'Kid', index: 0, usage: usageOf(firstTwo) }] } }),
    ],
  ])('is public where the sum is of a result %s', (_where, parent) => {
    expect(wholeOf([parent], [childWith()])).toEqual([]);
  });

  it('is private where another result of the stretch repeats an answer of somebody else', () => {
    const [{ message } = {}] = childWith([turn('else', [1, 2, 3, 4])]).entries;
    const paused = sums(firstTwo);
    append(paused, 't2', at(20), result({ details: { results: [{ messages: [message] }] } }));
    expect(wholeOf([paused], [childWith()])).toEqual(['child']);
  });

  it.each([5, 21])('is public if it began at minute %d, out of the stretch', (minute) => {
    expect(wholeOf([sums(firstTwo)], [childWith(undefined, { minute })])).toEqual([]);
  });

  it.each<[how: string, parentSession: string, expected: readonly string[]]>([
    ['by its file', parentFile, ['child']],
    ['by its file, wherever that is', `/moved/${parentFile.split('/').at(-1)}`, ['child']],
    ['by its id', 'parent', ['child']],
    ['not at all', '', []],
    ['but another one', '/sessions/2026-11-20T09-00-00-000Z_other.jsonl', []],
  ])('is private if its header names the parent: %s', (_how, parentSession, expected) => {
    expect(wholeOf([sums(firstTwo)], [childWith(undefined, { parentSession })])).toEqual(expected);
  });

  it.each<[how: string, parentSession: string, expected: readonly string[]]>([
    ['by that name', '/sessions/talk.jsonl', ['child']],
    ['by the name that it had, with its id', parentFile, ['child']],
    ['by another name', '/sessions/other.jsonl', []],
  ])('is private if its header names the parent, called something else: %s', (...given) => {
    const [, parentSession, expected] = given;
    const written: Written[] = [[childWith(undefined, { parentSession })]];
    expect(wholeOf([sums(firstTwo), 'talk.jsonl'], ...written)).toEqual(expected);
  });

  const [before, after] = [turn('k', one), turn('l', two)];
  it.each<[what: string, between: Record<string, unknown>, sum: Counts]>([
    ['a compaction left out', { type: 'compaction', usage: usageOf([30, 3, 0, 0]) }, firstTwo],
    ['a compaction', { type: 'compaction', usage: usageOf([30, 3, 0, 0]) }, [130, 13, 400, 7]],
    ['what a tool spent left out', result({ usage: usageOf([30, 3, 0, 0]) }), firstTwo],
    ['what a tool spent', result({ usage: usageOf([30, 3, 0, 0]) }), [130, 13, 400, 7]],
  ])('is private with %s', (_what, between, sum) => {
    expect(wholeOf([sums(sum)], [childWith([before, between, after])])).toEqual(['child']);
  });

  it('is private with a compaction, but what a tool spent left out', () => {
    const compaction = { type: 'compaction', usage: usageOf([30, 3, 0, 0]) };
    const spent = result({ usage: usageOf([1, 1, 0, 0]) });
    const child = childWith([before, compaction, spent, after]);
    expect(wholeOf([sums([130, 13, 400, 7])], [child])).toEqual(['child']);
  });

  it('is private without what it has copied of an older session', () => {
    const copied = fork(childWith([turn('old', [9, 9, 9, 9])], { minute: 2 }), 'child', at(12));
    const made = { ...copied, header: { ...copied.header, parentSession: parentFile } };
    append(made, 'k0', at(12), before);
    append(made, 'k1', at(13), after);
    expect(wholeOf([sums(firstTwo)], [made])).toEqual(['child']);
    expect(wholeOf([sums([49, 13, 409, 9])], [made])).toEqual([]);
  });

  it('is private also if a result after the stretch says it', () => {
    const waiting = parentWith({});
    append(waiting, 't2', at(22), result({ usage: usageOf(firstTwo) }));
    expect(wholeOf([waiting], [childWith()])).toEqual(['child']);
  });

  it('is known by the second stretch, too', () => {
    const parent = parentWith({});
    append(parent, 'm3', at(30), mark('paused'));
    append(parent, 't3', at(35), result({ usage: usageOf(firstTwo) }));
    expect(wholeOf([parent], [childWith(undefined, { minute: 32 })])).toEqual(['child']);
  });

  it.each([14, 45])('is private where a private subagent sums it up, at minute %d', (minute) => {
    const child = childWith([result({ usage: usageOf(firstTwo) })]);
    const below = childWith(undefined, { minute, parentSession: 'child' });
    const own = { ...below, id: 'below', header: { ...below.header, id: 'below' } };
    const paused = parentWith({ details: { sessionId: 'child' } });
    expect(wholeOf([paused], [child], [own, 'below.jsonl'])).toEqual(['below', 'child']);
    const pausing = childWith([
      turn('k', three),
      ...['paused', 'resumed'].map(mark),
      result({ usage: usageOf(firstTwo) }),
    ]);
    expect(wholeOf([paused], [pausing], [own, 'below.jsonl'])).toEqual(['below', 'child']);
  });
});
