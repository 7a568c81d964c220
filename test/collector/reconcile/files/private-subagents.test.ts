/** Which sessions are subagents of a private stretch: by place and time, and by name. */
import { describe, expect, it } from 'vitest';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
} from '../../../extension/support/fake-session.ts';
import {
  at,
  childAt,
  mark,
  parentWith,
  placeBelow,
  result,
  stemOf,
} from '../../importers/support/private-family.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import type { Written } from '../support/subagent-family.ts';
import { privatePartsIn, sessionOf } from './support/private-parts.ts';

const directory = temporaryDirectory();
/** Paused from minute 10 to 20. */
const parent = parentWith({});
const stem = stemOf(parent);

const wholeOf = (...written: readonly Written[]) => privatePartsIn(directory, written).whole;

describe('what began below a paused session', () => {
  const minutes = [5, 10, 15, 20, 25, 30, 35, 40, 45];
  const [pause, resume, say] = [mark('paused'), mark('resumed'), answer('a')];
  const undated = { timestamp: 'yesterday' };

  /** Of subagents that began at these minutes. */
  function privateBelow(session: FakeSession): readonly number[] {
    const children = minutes.map(
      (minute): Written => [childAt(minute, String(minute)), placeBelow(session, `r${minute}`)],
    );
    return wholeOf([session], ...children)
      .map(Number)
      .sort((left, right) => left - right);
  }

  it.each<[what: string, entries: Parameters<typeof sessionOf>[1], expected: readonly number[]]>([
    ['never paused', [[10, say]], []],
    [
      'from the pause to its end',
      [
        [10, pause],
        [20, resume],
      ],
      [10, 15, 20],
    ],
    ['while nothing ends the pause', [[30, pause]], [30, 35, 40, 45]],
    [
      'in each of two stretches',
      [
        [10, pause],
        [15, resume],
        [25, pause],
        [30, resume],
      ],
      [10, 15, 25, 30],
    ],
    [
      'until the last result of what was called in it',
      [
        [10, pause],
        [20, resume],
        [23, result()],
        [30, result()],
      ],
      [10, 15, 20, 25, 30],
    ],
    [
      'not until a result of what was called after it',
      [
        [10, pause],
        [20, resume],
        [23, say],
        [30, result()],
      ],
      [10, 15, 20],
    ],
    [
      'once for a pause that is said twice',
      [
        [10, pause],
        [20, pause],
        [30, resume],
      ],
      [10, 15, 20, 25, 30],
    ],
    [
      'not until the same end is said once more, as after a move to an older branch',
      [
        [10, pause],
        [15, resume],
        [20, say],
        [33, resume],
        [35, result()],
        [40, say],
      ],
      [10, 15, 35],
    ],
    [
      'from the first time that can be read',
      [
        [10, { ...pause, ...undated }],
        [20, say],
        [30, resume],
      ],
      [20, 25, 30],
    ],
    [
      'until the last time that can be read',
      [
        [10, pause],
        [20, { ...resume, ...undated }],
        [25, result()],
      ],
      [10, 15, 20, 25],
    ],
    [
      'never, of an end without a beginning',
      [
        [10, resume],
        [20, result()],
      ],
      [],
    ],
  ])('is private: %s', (_when, entries, expected) => {
    expect(privateBelow(sessionOf('parent', entries))).toEqual(expected);
  });
});

describe('a subagent’s place', () => {
  it.each([
    ['in the folder named like the paused session’s file', `${stem}/Kid.jsonl`],
    ['deeper', `${stem}/run/run-0/session.jsonl`],
    ['in such a folder elsewhere', `copied/${stem}/run/run-0/session.jsonl`],
  ])('is below the paused session: %s', (_where, place) => {
    expect(wholeOf([parent], [childAt(12), place])).toEqual(['child']);
  });

  it.each([
    ['beside it', 'Kid.jsonl'],
    ['in a folder that is no session’s', 'runs_parent/Kid.jsonl'],
    ['in a folder whose name only ends like a session’s', `of-${stem}/Kid.jsonl`],
    ['below another session’s folder', `${stem}/2026-11-20T09-05-00-000Z_other/Kid.jsonl`],
  ])('is not: %s', (_where, place) => {
    expect(wholeOf([parent], [childAt(12), place])).toEqual([]);
  });

  it('is below the nearest session that has a file, here one from before the pause', () => {
    const nearest: Written = [childAt(5, 'before'), `${stem}/run.jsonl`];
    expect(wholeOf([parent], nearest, [childAt(12), `${stem}/run/Kid.jsonl`])).toEqual([]);
  });

  it('is not below itself: a fork of a paused session in a folder of its own name', () => {
    const made = fork(
      sessionOf('parent', [
        [1, answer('a')],
        [10, mark('paused')],
      ]),
      'fork',
      at(60),
    );
    append(made, 'end', at(61), mark('resumed'));
    append(made, 'own', at(62), answer('own'));
    expect(wholeOf([made, `${stemOf(made)}/session.jsonl`])).toEqual([]);
  });
});

describe('a subagent whom a result of the stretch names', () => {
  const named = '/x/2026-11-20T09-12-00-000Z_child.JSONL';

  it.each<[by: string, details: unknown, place: string]>([
    ['its id', { sessionId: 'child' }, 'kid.jsonl'],
    ['the id of its session', { session: { id: 'child' } }, 'kid.jsonl'],
    [
      'its id among several',
      { results: [null, { sessionId: 'x' }, { sessionId: 'child' }] },
      'kid.jsonl',
    ],
    ['the id in the name of its file', { sessionFile: named }, 'kid.jsonl'],
    ['a path that has an underscore', { sessionFile: '/a/b/c/my_kid.jsonl' }, 'b/c/my_kid.jsonl'],
    ['the end of its path', { sessionFile: '/a/b/c/d.jsonl' }, 'b/c/d.jsonl'],
    ['the end of its path on Windows', { sessionFile: 'C:\\a\\b\\c\\d.jsonl' }, 'b/c/d.jsonl'],
    [
      'the end of its path, with a folder’s end said twice',
      { sessionFile: 'b//c//d.jsonl' },
      'b/c/d.jsonl',
    ],
    [
      'the end of its path, in other letters',
      { sessionFile: 'b/c/D\u00e9.jsonl' },
      'b/c/de\u0301.JSONL',
    ],
  ])('by %s is private, unless it is older than the stretch', (_by, details, place) => {
    const began = [5, 12, 30].map((minute) =>
      wholeOf([parentWith({ details })], [childAt(minute), place]),
    );
    expect(began).toEqual([[], ['child'], ['child']]);
  });

  it.each<[by: string, details: unknown]>([
    ['the id of another one', { sessionId: 'other' }],
    ['two ids, of which the first counts', { sessionId: 'other', session: { id: 'child' } }],
    ['the end of another path', { sessionFile: '/a/x/c/d.jsonl' }],
    ['a path of the same letters', { sessionFile: 'b/cd.jsonl' }],
    ['a longer name of its file', { sessionFile: '/a/b/c/xd.jsonl' }],
    ['what is no path', { sessionFile: 5, results: 'b/c/d.jsonl' }],
    ['a path in a list', { sessionFile: ['b/c/d.jsonl'] }],
    ['a text', 'child'],
    ['a name that only ends in its id', { sessionFile: '/x/y_child.jsonl' }],
  ])('by %s is not known by it', (_by, details) => {
    expect(wholeOf([parentWith({ details })], [childAt(12), 'b/c/d.jsonl'])).toEqual([]);
  });

  it('is not known by the path of a file whose name tells another session', () => {
    const file = 'b/c/2026-11-20T09-12-00-000Z_other.jsonl';
    const paused = parentWith({ details: { sessionFile: `/a/${file}` } });
    expect(wholeOf([paused], [childAt(12), file])).toEqual([]);
    expect(wholeOf([paused], [childAt(12, 'other'), file])).toEqual(['other']);
  });

  it('by the end of its path in other letters is one of several', () => {
    const results = ['x/y/z.jsonl', 'b/c/D.jsonl'].map((sessionFile) => ({ sessionFile }));
    const written: Written = [childAt(30), 'b/c/d.jsonl'];
    expect(wholeOf([parentWith({ details: { results } })], written)).toEqual(['child']);
  });

  it('by the end of its path in other letters is not meant where a file has just that name', () => {
    const named = parentWith({ details: { sessionFile: '/a/b/c/d.jsonl' } });
    const exact: Written = [childAt(30, 'exact'), 'b/c/d.jsonl'];
    expect(wholeOf([named], exact, [childAt(30), 'b/c/D.jsonl'])).toEqual(['exact']);
  });

  it('is another one than the paused session itself', () => {
    expect(wholeOf([parentWith({ details: { sessionId: 'parent' } })])).toEqual([]);
  });

  it('is not named by what a message other than a tool’s result says', () => {
    const details = { sessionId: 'child' };
    const says = answer('b', { details });
    const talking = sessionOf('parent', [
      [10, mark('paused')],
      [11, says],
      [20, mark('resumed')],
    ]);
    expect(wholeOf([talking], [childAt(12)])).toEqual([]);
  });
});

describe('a subagent whom only a result after the stretch names', () => {
  const ways = [
    ['its id', { sessionId: 'child' }],
    ['its path', { sessionFile: '/a/b/c/d.jsonl' }],
  ] as const;

  it.each(ways)('by %s is private if it began in the stretch', (_by, details) => {
    const waiting = parentWith({});
    append(waiting, 't2', at(22), result({ details }));
    const began = [5, 12, 21].map((minute) => wholeOf([waiting], [childAt(minute), 'b/c/d.jsonl']));
    expect(began).toEqual([[], ['child'], []]);
  });

  it.each(ways)('by %s, and one before it, is public', (_by, details) => {
    const before = sessionOf('parent', [
      [1, result({ details })],
      [10, mark('paused')],
      [20, mark('resumed')],
    ]);
    expect(wholeOf([before], [childAt(12), 'b/c/d.jsonl'])).toEqual([]);
  });
});

describe('what a private subagent started is private, too, whenever that was', () => {
  const child: Written = [childAt(12), placeBelow(parent)];
  const below = placeBelow(parent).replace(/\.jsonl$/, '/q/session.jsonl');

  it.each([13, 45])('below its file, at minute %d', (minute) => {
    expect(wholeOf([parent], child, [childAt(minute, 'below'), below])).toEqual(['below', 'child']);
  });

  it('named by its results, one after another', () => {
    const [first, second] = [childAt(12, 'first'), childAt(40, 'second')];
    append(first, 'names', at(30), result({ details: { sessionId: 'second' } }));
    append(second, 'names', at(50), result({ details: { sessionId: 'third' } }));
    const third = childAt(45, 'third');
    expect(wholeOf([parent], [first, placeBelow(parent)], [second], [third])).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('nothing of that is so of a subagent that is public', () => {
    const early = childAt(5);
    append(early, 'names', at(13), result({ details: { sessionId: 'named' } }));
    const written: Written[] = [
      [early, placeBelow(parent)],
      [childAt(14, 'below'), below],
    ];
    expect(wholeOf([parent], ...written, [childAt(14, 'named')])).toEqual([]);
  });

  it('its file is private wherever another copy of it is', () => {
    expect(wholeOf([parent], child, [childAt(12), 'backup/copy.jsonl'])).toEqual([
      'child',
      'child',
    ]);
  });
});

describe('a subagent’s own entries', () => {
  const says = (...bodies: readonly object[]) => {
    const child = childAt(12);
    child.entries.splice(0);
    for (const [index, body] of bodies.entries())
      append(child, `k${index}`, at(12), body as Record<string, unknown>);
    return wholeOf([parent], [child, placeBelow(parent)]);
  };

  it.each<[what: string, bodies: readonly object[], expected: readonly string[]]>([
    ['paused before its first answer', [mark('paused'), answer('k')], []],
    ['paused before that and resumed', [mark('paused'), mark('resumed'), answer('k')], []],
    ['paused after something else', [result(), mark('paused'), answer('k')], []],
    ['paused after its first answer', [answer('k'), mark('paused')], ['child']],
    ['resumed before its first answer', [mark('resumed'), mark('paused')], ['child']],
    ['neither', [result(), answer('k')], ['child']],
    ['empty', [], ['child']],
  ])('tell what of it is private where they begin paused: %s', (_what, bodies, expected) => {
    expect(says(...bodies)).toEqual(expected);
  });
});

it('files that name their folder after the parent are found by the name of its file', () => {
  const renamed: Written = [parent, 'talk.jsonl'];
  expect(wholeOf(renamed, [childAt(12), 'talk/Kid.jsonl'])).toEqual(['child']);
  expect(fileOf(parent)).toContain(stem);
});
