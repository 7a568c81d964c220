/**
 * Copies of what is private: in whatever session they stand, they are private, too. A fork tells of
 * a private subagent whose own file is gone; what the user adds to it counts.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
  newSession,
  usage,
} from '../../../extension/support/fake-session.ts';
import { writeLines, writeSession } from '../../importers/support/files.ts';
import {
  at,
  childAt,
  mark,
  of40and60,
  parentWith,
  placeBelow,
  result,
  stemOf,
} from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { readFacts } from '../support/read-facts.ts';
import type { Written } from '../support/subagent-family.ts';
import { privatePartsIn } from './support/private-parts.ts';

const directory = temporaryDirectory();
const parent = parentWith({});

const partsOf = (...written: readonly Written[]) => privatePartsIn(directory, written);

describe('the entries of a private stretch', () => {
  it('are private by id and time, and those around it are not', () => {
    const { entries } = partsOf([parent]);
    expect(
      entries(['u', 1], ['a', 2], ['m1', 10], ['b', 11], ['t', 18], ['m2', 20], ['c', 21]),
    ).toEqual(['b', 't']);
    expect(entries(['b', 12], ['x', 11])).toEqual([]);
  });

  it('are those of a private subagent, too, but for what it has copied', () => {
    const child = fork(parent, 'child', at(12));
    child.entries.splice(2);
    append(child, 'k', at(12), answer('k'));
    const { whole, entries } = partsOf([parent], [child, placeBelow(parent)]);
    expect(whole).toEqual(['child']);
    expect(entries(['a', 2], ['k', 12])).toEqual(['k']);
  });

  it('are known by what they say where they have no id', () => {
    const home = mkdtempSync(join(directory, 'v1-'));
    const line = (minute: number, body: object) =>
      JSON.stringify({ ...body, timestamp: new Date(at(minute)).toISOString() });
    const unnamed = { message: { role: 'assistant', usage: usage(7) }, type: 'message' };
    const [open, hidden] = [line(2, unnamed), line(11, unnamed)];
    const headerOf = (id: string, minute: number) => line(minute, { type: 'session', id });
    const paused = [line(10, mark('paused')), hidden, line(20, mark('resumed'))];
    writeLines(join(home, 'old.jsonl'), [headerOf('old', 0), open, ...paused]);
    writeLines(join(home, 'copy.jsonl'), [headerOf('copy', 30), open, hidden]);
    const { sessions } = readFacts([home]);
    const counted = ['old', 'copy'].map((id) => sessions.get(id)?.everything.inputTokens);
    expect(counted).toEqual([7n, 7n]);
  });
});

describe('a fork of a private subagent whose file is gone', () => {
  /** What a user went on with: the copies of `child`, and an entry of its own. */
  function forkOf(session: FakeSession, parentSession?: string): FakeSession {
    const made = fork(session, 'fork', at(60));
    append(made, 'first', at(60), answer('first'));
    append(made, 'own', at(61), answer('own'));
    return { ...made, header: { ...made.header, parentSession } };
  }

  const copies = [
    ['child-u', 12],
    ['child-1', 12],
    ['child-2', 12],
    ['first', 60],
    ['own', 61],
  ] as const;
  const copied = ['child-u', 'child-1', 'child-2'];
  const hiddenOf = (...written: readonly Written[]) => {
    const { whole, entries } = partsOf(...written);
    expect(whole).toEqual([]);
    return entries(...copies);
  };

  const stem = stemOf(parent);
  const names = (details: object) => parentWith({ details });
  const named = fileOf(childAt(12));
  it.each<[by: string, paused: FakeSession, parentSession: string]>([
    ['its place', parent, `/elsewhere/${stem}/run/run-0/session.jsonl`],
    ['its id', names({ sessionId: 'child' }), named],
    ['its id alone, as omp writes it', names({ sessionId: 'child' }), 'child'],
    ['an id that speaks of a file', names({ sessionId: 'my.jsonl-run' }), 'my.jsonl-run'],
    [
      'a path that has an underscore',
      names({ sessionFile: '/a/b/c/my_d.jsonl' }),
      '/x/b/c/my_d.jsonl',
    ],
    ['the end of its path', names({ sessionFile: '/a/b/c/d.jsonl' }), '/x/b/c/d.jsonl'],
    ['the end of its path on Windows', names({ sessionFile: '/a/b/c/d.jsonl' }), 'b\\c\\d.jsonl'],
    ['what it used', parentWith({ usage: of40and60 }), named],
    ['what it used, whatever it is called', parentWith({ usage: of40and60 }), 'kid.jsonl'],
  ])('is known by %s: what it copied is private', (_by, paused, parentSession) => {
    expect(hiddenOf([paused], [forkOf(childAt(12), parentSession)])).toEqual(copied);
  });

  it.each<[what: string, paused: FakeSession, made: FakeSession]>([
    ['its header names nothing', parentWith({ usage: of40and60 }), forkOf(childAt(12))],
    ['it began before the stretch', parent, forkOf(childAt(5), `/x/${stem}/kid.jsonl`)],
    ['it lay elsewhere', parent, forkOf(childAt(12), '/x/kid.jsonl')],
    ['another one is named', names({ sessionId: 'other' }), forkOf(childAt(12), named)],
    [
      'another path is named',
      names({ sessionFile: '/a/b/c/d.jsonl' }),
      forkOf(childAt(12), '/x/b/c/e.jsonl'),
    ],
    [
      'its name only ends in that id',
      names({ sessionId: 'child' }),
      forkOf(childAt(12), '/x/y_child.jsonl'),
    ],
    ['the sum is another', parentWith({ usage: usage(99) }), forkOf(childAt(12), named)],
  ])('counts as a whole where %s', (_what, paused, made) => {
    expect(hiddenOf([paused], [made])).toEqual([]);
  });

  it.each<[what: string, parentSession: string, place: string]>([
    ['by its id', named, 'moved.jsonl'],
    ['by its id alone', 'child', 'moved.jsonl'],
    ['by the end of its path', '/x/b/c/d.jsonl', 'b/c/d.jsonl'],
  ])('tells nothing where that file is there: %s', (_what, parentSession, place) => {
    const written: Written[] = [[childAt(12), place], [forkOf(childAt(12), parentSession)]];
    expect(hiddenOf([parentWith({ usage: of40and60 })], ...written)).toEqual([]);
  });

  describe('tells nothing of what that one had copied itself', () => {
    /** Of a subagent that began with a copy of minute 3: what of the fork is private. */
    function hiddenBy(id: string, parentSession: string): readonly string[] {
      const child = newSession(id, at(12));
      append(child, 'older', at(3), answer('older'));
      append(child, 'child-1', at(12), answer('child-1'));
      const { entries } = partsOf([names({ sessionId: id })], [forkOf(child, parentSession)]);
      return entries(['older', 3], ...copies);
    }

    it('by the time in its name', () => {
      expect(hiddenBy('child', named)).toEqual(['child-1']);
    });

    /** An id of version 7 begins with its time in milliseconds. */
    const hex = at(12).toString(16).padStart(12, '0');
    const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8abc-000000000001`;
    it('by the time in its id, which hosts make so', () => {
      expect(hiddenBy(id, id)).toEqual(['child-1']);
    });

    it.each([
      ['of another version', id.replace('-7', '-4')],
      ['with something in front', `x${id}`],
      ['that somebody chose', 'child'],
    ])('unless nothing tells its time: an id %s', (_what, chosen) => {
      expect(hiddenBy(chosen, chosen)).toEqual(['older', 'child-1']);
    });
  });

  it('began with its first copy where neither name nor id tells a time', () => {
    const waiting = parentWith({});
    append(waiting, 't2', at(22), result({ details: { sessionId: 'child' } }));
    const hidden = [5, 12].map((minute) => hiddenOf([waiting], [forkOf(childAt(minute), 'child')]));
    expect(hidden[0]).toEqual([]);
    expect(hidden[1]).toEqual(copied);
  });

  it('tells nothing without a copy', () => {
    const empty = forkOf(newSession('child', at(12)), 'child');
    expect(hiddenOf([names({ sessionId: 'child' })], [empty])).toEqual([]);
  });

  it('tells of its subagents what its own file would have', () => {
    const child = childAt(12);
    append(child, 'names', at(14), result({ details: { sessionId: 'grandchild' } }));
    append(child, 'sums', at(16), result({ usage: usage(1000) }));
    const made = forkOf(child, named);
    const summed = (minute: number, id: string) => {
      const session = newSession(id, at(minute), { parentSession: fileOf(made) });
      append(session, `${id}-1`, at(minute), answer(id, { usage: usage(1000) }));
      return session;
    };
    const written: Written[] = [[made], [childAt(30, 'grandchild')]];
    const sums = [13, 17].map((minute): Written => [summed(minute, `at-${minute}`)]);
    const { whole } = partsOf([names({ sessionId: 'child' })], ...written, ...sums);
    expect(whole).toEqual(['at-13', 'grandchild']);
  });

  it('tells of them also if the user has paused it since', () => {
    const child = childAt(12);
    append(child, 'names', at(14), result({ details: { sessionId: 'grandchild' } }));
    const made = forkOf(child, named);
    append(made, 'pause', at(62), mark('paused'));
    append(made, 'more', at(63), result({ details: { sessionId: 'later' } }));
    const written: Written[] = [[childAt(30, 'grandchild')], [childAt(62, 'later')]];
    const { whole } = partsOf([names({ sessionId: 'child' })], [made], ...written);
    expect(whole).toEqual(['grandchild', 'later']);
  });

  it('that begins paused tells by its own entries what of it is private', () => {
    const made = forkOf(childAt(12), named);
    made.entries.unshift({ ...mark('paused'), id: 'p', timestamp: new Date(at(11)).toISOString() });
    made.entries.splice(2, 0, {
      ...mark('resumed'),
      id: 'r',
      timestamp: new Date(at(12)).toISOString(),
    });
    expect(hiddenOf([names({ sessionId: 'child' })], [made])).toEqual(['child-u']);
  });
});

it('a session that somebody forked out of a paused one is no subagent of it', () => {
  const home = mkdtempSync(join(directory, 'forked-'));
  writeSession(home, parent);
  const made = fork(parent, 'fork', at(30));
  append(made, 'own', at(31), answer('own'));
  writeSession(home, made);
  const { sessions } = readFacts([home]);
  expect(sessions.get('fork')).toMatchObject({ sums: { units: 1 }, privateUnits: 0 });
});
