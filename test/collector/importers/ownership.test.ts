/**
 * What counts, and where, depends on which session files there were: not on their order, on one
 * import or several, or on what was deleted before.
 */
import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Importer } from '../../../collector/importers/importer.ts';
import { omp } from '../../../collector/importers/omp.ts';
import { pi } from '../../../collector/importers/pi.ts';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  fork,
  newSession,
  toolCall,
  toolResult,
  usage,
  userSays,
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { type Books, openBooks } from './support/books.ts';
import { writeSession } from './support/files.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const at = (minute: number) => startMs + minute * 60_000;

interface File {
  readonly name: string;
  readonly session: FakeSession;
}

/** As a host names it, in a folder. */
const inFolder = (folder: string, session: FakeSession): File => ({
  name: join(folder, basename(fileOf(session))),
  session,
});

const moved = (session: FakeSession, cwd: string): FakeSession => ({
  ...session,
  header: { ...session.header, cwd },
});

/** What one step has brought stays, or is gone when the next one comes. */
async function books(
  importer: Importer,
  steps: readonly (readonly File[])[],
  stays = false,
): Promise<Books> {
  const opened = await openBooks(root, importer);
  const home = mkdtempSync(join(root, 'sessions-'));
  for (const files of steps) {
    const directory = stays ? home : mkdtempSync(join(root, 'sessions-'));
    for (const { name, session } of files) writeSession(directory, session, name);
    await opened.import(directory);
  }
  return opened;
}

async function reported(
  importer: Importer,
  steps: readonly (readonly File[])[],
  ...by: string[]
): Promise<Record<string, string>> {
  return report(await books(importer, steps), ...by);
}

async function report(opened: Books, ...by: string[]): Promise<Record<string, string>> {
  const found = await opened.report(undefined, ...by);
  await opened.close();
  return found;
}

/** All orders of one file an import, and all of them at once. */
function waysOf(files: readonly File[]): File[][][] {
  return [[[...files]], ...permutations(files).map((order) => order.map((file) => [file]))];
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

function talk(session: FakeSession, name: string, minute: number, answers = 2): void {
  append(session, `${name}-user`, at(minute), userSays());
  for (let index = 1; index <= answers; index++)
    append(session, `${name}-${index}`, at(minute + index), answer(`${name}-r${index}`));
}

/**
 * A, its fork B and a fork C of that, each in a folder and a project of its own. C's folder sorts
 * before A's.
 */
function chain() {
  const a = moved(newSession('a', at(0)), '/srv/a');
  talk(a, 'a', 1);
  const b = moved(fork(a, 'b', at(10)), '/srv/b');
  talk(b, 'b', 11);
  const c = moved(fork(b, 'c', at(20)), '/srv/c');
  talk(c, 'c', 21);
  return { a: inFolder('m', a), b: inFolder('n', b), c: inFolder('c', c) };
}

const two = '2 records, 220 tokens, 200000 nano-dollars';

describe('a chain of forks', () => {
  it('counts under the owners however its files come', async () => {
    const { a, b, c } = chain();
    for (const steps of waysOf([a, b, c])) {
      expect(await reported(pi, steps, 'session', 'project')).toEqual({
        'a,/srv/a': two,
        'b,/srv/b': two,
        'c,/srv/c': two,
      });
    }
  });

  it('counts under the owner that has a file, though the fork between is gone', async () => {
    const { a, c } = chain();
    for (const steps of waysOf([a, c])) {
      expect(await reported(pi, steps, 'session', 'project')).toEqual({
        'a,/srv/a': two,
        'b,/srv/c': two,
        'c,/srv/c': two,
      });
    }
  });

  it('takes the project of its copy for an owner that is gone, and says so', async () => {
    const { c } = chain();
    const opened = await books(pi, [[c]]);
    expect(await opened.report(undefined, 'project', 'user')).toEqual({
      [`/srv/c,${(await opened.events()).find(({ type }) => type === 'pi.session.attributed.v1')?.data['user' as never]}`]:
        '6 records, 660 tokens, 600000 nano-dollars',
    });
    const inferred = (await opened.events()).filter(
      ({ data }) => 'basis' in data && data.basis === 'inferred',
    );
    expect(inferred.map(({ subject }) => subject)).toEqual(['b']);
    await opened.close();
  });

  it('counts nothing of a project that is ignored, whoever owned it', async () => {
    const { c } = chain();
    const opened = await books(pi, [[c]]);
    expect(await opened.total({ projects: [{ match: '/srv/c', ignore: true }], billing: {} })).toBe(
      'nothing',
    );
    await opened.close();
  });

  it('is the same when the importer has forgotten what it read', async () => {
    const { a, b, c } = chain();
    const opened = await openBooks(root, pi);
    const directory = mkdtempSync(join(root, 'sessions-'));
    for (const file of [c, b, a]) {
      writeSession(directory, file.session, file.name);
      await opened.import(directory, true);
    }
    expect(await opened.report(undefined, 'session')).toEqual({ a: two, b: two, c: two });
    await opened.close();
  });
});

describe('an entry that a fork may have made itself', () => {
  const shapes: Record<string, (a: FakeSession) => FakeSession> = {
    'forked in the same millisecond': (a) => fork(a, 'B', at(3)),
    'forked when the clock had been set back': (a) => fork(a, 'B', at(2)),
    'forked when the clock had been set back behind the start': (a) => fork(a, 'B', at(-60)),
    'without a parent in the header': (a) => {
      const clone = fork(a, 'z', at(10));
      const { parentSession: _, ...header } = clone.header;
      return { ...clone, header };
    },
  };

  it.each(Object.entries(shapes))(
    'counts under the owner in any order: %s',
    async (_what, shape) => {
      const a = newSession('b', at(0));
      talk(a, 'a', 1);
      const other = shape(a);
      talk(other, 'o', 30);
      const id = String(other.header.id);
      for (const steps of waysOf([inFolder('m', a), inFolder('c', other)])) {
        expect(await reported(pi, steps, 'session')).toEqual({ b: two, [id]: two });
      }
    },
  );
});

/**
 * omp: a session whose task result claims what its subagent spent, and a fork of it with a copy of
 * the subagent's file.
 */
function tasked() {
  const main = newSession('main', at(0));
  append(main, 'u1', at(1), userSays());
  append(main, 'm1', at(2), answer('m1', { content: [toolCall('t1', 'task')] }));
  const child = newSession('child', at(3));
  append(child, 'c1', at(4), answer('c1'));
  append(child, 'c2', at(5), answer('c2'));
  append(
    main,
    'x1',
    at(6),
    toolResult('t1', 'task', false, {
      results: [
        { index: 0, id: 'SubA', agent: 'task', usage: { ...usage(200), output: 14, cacheRead: 6 } },
      ],
    }),
  );
  const forked = fork(main, 'fork', at(10));
  append(forked, 'f1', at(11), answer('f1'));
  const beside = (session: FakeSession): File => ({
    name: join(basename(fileOf(session), '.jsonl'), 'SubA.jsonl'),
    session: child,
  });
  return {
    main: inFolder('', main),
    ofMain: beside(main),
    fork: inFolder('', forked),
    ofFork: beside(forked),
  };
}

describe('a subagent', () => {
  /** Whom its answers are told to is found in files of later imports, so its file has to stay. */
  const totalsOf = async (importer: Importer, steps: readonly (readonly File[])[]) =>
    Object.values(await report(await books(importer, steps, true)));

  const four = '4 records, 440 tokens, 400000 nano-dollars';

  it('of omp counts once when the session was forked and the original is gone', async () => {
    const { fork: forked, ofFork } = tasked();
    for (const steps of waysOf([forked, ofFork]))
      expect(await totalsOf(omp, steps)).toEqual([four]);
  });

  it('of omp counts once whatever of the family is there', async () => {
    const { main, ofMain, fork: forked, ofFork } = tasked();
    for (const steps of waysOf([main, ofMain, forked, ofFork]).slice(0, 12))
      expect(await totalsOf(omp, steps)).toEqual([four]);
    for (const steps of waysOf([main, forked, ofFork]))
      expect(await totalsOf(omp, steps)).toEqual([four]);
  });

  it('of omp counts once when its parent’s claim turns out to be an older session’s', async () => {
    const { main, fork: forked, ofFork } = tasked();
    const again = fork(forked.session, 'again', at(20));
    const ofAgain = {
      name: join(basename(fileOf(again), '.jsonl'), 'SubA.jsonl'),
      session: ofFork.session,
    };
    for (const steps of waysOf([main, inFolder('', again), ofAgain]))
      expect(await totalsOf(omp, steps)).toEqual([four]);
  });

  it('of pi counts once when it was forked and its own file is gone', async () => {
    const parent = newSession('parent', at(0));
    const child = newSession('child', at(2));
    for (const [index, id] of ['c1', 'c2', 'c3'].entries())
      append(child, id, at(3 + index), answer(id, { timestamp: at(3 + index) }));
    append(parent, 'p1', at(1), answer('p1', { content: [toolCall('t1', 'subagent')] }));
    const messages = child.entries.map(({ message }) => message);
    append(
      parent,
      'x1',
      at(9),
      toolResult('t1', 'subagent', false, { results: [{ agent: 'worker', messages }] }),
    );
    const later = fork(child, 'later', at(20));
    append(later, 'l1', at(21), answer('l1'));
    const five = '5 records, 550 tokens, 500000 nano-dollars';
    for (const files of [
      [parent, later],
      [parent, child, later],
    ]) {
      for (const steps of waysOf(files.map((file) => inFolder('', file))))
        expect(await totalsOf(pi, steps)).toEqual([five]);
    }
  });
});

/**
 * pi: a session, its subagent, and that one's subagent, whose tool also let a model work. Each
 * repeats what the one below it said.
 */
function generations() {
  const sessions = ['parent', 'child', 'grandchild'].map((id, index) =>
    newSession(id, at(index)),
  ) as [FakeSession, FakeSession, FakeSession];
  const [parent, child, grandchild] = sessions;
  const repeating = (callId: string, of: FakeSession) =>
    toolResult(callId, 'subagent', false, {
      results: [{ agent: 'worker', messages: of.entries.map(({ message }) => message) }],
    });
  append(
    grandchild,
    'g1',
    at(4),
    answer('g1', { timestamp: at(4), content: [toolCall('t3', 'look')] }),
  );
  const looked = toolResult('t3', 'look');
  append(grandchild, 'g2', at(5), {
    ...looked,
    message: { ...looked.message, usage: usage(40), timestamp: at(5) - 7 },
  });
  append(
    child,
    'c1',
    at(3),
    answer('c1', { timestamp: at(3), content: [toolCall('t2', 'subagent')] }),
  );
  append(child, 'c2', at(6), repeating('t2', grandchild));
  append(child, 'c3', at(7), answer('c3', { timestamp: at(7) }));
  append(
    parent,
    'p1',
    at(2),
    answer('p1', { timestamp: at(2), content: [toolCall('t1', 'subagent')] }),
  );
  append(parent, 'p2', at(8), repeating('t1', child));
  return sessions.map((session) => inFolder('', session));
}

describe('a subagent whose file is gone when its parent comes', () => {
  const agentsOf = async (opened: Books) => {
    const agents = new Map<string, string>();
    const attributed = (await opened.events()).filter(
      (event) => event.type === 'pi.session.attributed.v1',
    );
    for (const { subject, data } of attributed.toSorted((left, right) =>
      left.time < right.time ? -1 : 1,
    ))
      agents.set(subject, `${data.agent.kind} of ${data.parentSessionId}`);
    return Object.fromEntries(agents);
  };

  it('of pi counts once, and is known for one', async () => {
    for (const steps of waysOf(generations())) {
      const opened = await books(pi, steps);
      expect(await agentsOf(opened)).toEqual({
        parent: 'main of null',
        child: 'subagent of parent',
        grandchild: 'subagent of child',
      });
      expect(await report(opened)).toEqual({ '': '5 records, 490 tokens, 440000 nano-dollars' });
    }
  });

  it('of pi is told once, and is the same should its file come back', async () => {
    const [parent, child] = generations();
    if (parent === undefined || child === undefined) throw new Error('no family');
    const opened = await books(pi, [[child], [parent]]);
    const before = (await opened.events()).length;
    const directory = mkdtempSync(join(root, 'sessions-'));
    expect(await opened.import(directory)).toMatchObject({ events: { new: 0, known: 0 } });
    writeSession(directory, child.session, child.name);
    expect(await opened.import(directory)).toMatchObject({
      files: { read: 1 },
      events: { new: 0 },
    });
    expect((await opened.events()).length).toBe(before);
    await opened.close();
  });

  it('of omp counts once, though it stood beside a fork', async () => {
    const { main, fork: forked, ofFork } = tasked();
    const expected = { '': '4 records, 440 tokens, 400000 nano-dollars' };
    for (const steps of waysOf([main, forked, ofFork]))
      expect(await reported(omp, steps)).toEqual(expected);
    for (const steps of waysOf([forked, ofFork]))
      expect(await reported(omp, steps)).toEqual(expected);
  });

  it('of pi counts once, though only a fork of it was ever read', async () => {
    const [parent, child] = generations();
    if (parent === undefined || child === undefined) throw new Error('no family');
    const later = fork(child.session, 'later', at(20));
    append(later, 'l1', at(21), answer('l1'));
    const steps = waysOf([parent, inFolder('', later)]);
    const [together, ...apart] = await Promise.all(steps.map((each) => reported(pi, each)));
    for (const each of apart) expect(each).toEqual(together);
  });
});

/** A session of omp, a `/tan` copy of it, and a clone whose header names nobody. */
function tangled() {
  const owner = newSession('a', at(0));
  talk(owner, 'a', 1);
  const forked = fork(owner, 'tan', at(10));
  const free = forked.entries.map((entry) =>
    JSON.parse(JSON.stringify(entry).replaceAll(/"cost":\{[^}]*\}/g, '"cost":{"total":0}')),
  );
  const tan = { ...forked, entries: free };
  talk(tan, 't', 11);
  const cloned = fork(owner, 'clone', at(20));
  const { parentSession: _, ...header } = cloned.header;
  const clone = { ...cloned, header };
  talk(clone, 'c', 21);
  return { owner: inFolder('', owner), tan: inFolder('', tan), clone: inFolder('', clone) };
}

describe('a copy that lost its price', () => {
  it('counts only what its owner does not, however they come', async () => {
    const { owner, tan } = tangled();
    for (const steps of waysOf([owner, tan]))
      expect(await reported(omp, steps, 'session')).toEqual({ a: two, tan: two });
    expect(await reported(omp, [[tan]], 'session')).toEqual({
      a: '2 records, 220 tokens, 0 nano-dollars',
      tan: two,
    });
  });

  it('counts nothing beside a clone with prices that names no parent, though their owner is gone', async () => {
    const { owner, tan, clone } = tangled();
    const expected = { a: two, tan: two, clone: two };
    for (const steps of waysOf([tan, clone]))
      expect(await reported(omp, steps, 'session')).toEqual(expected);
    for (const steps of waysOf([owner, tan, clone]))
      expect(await reported(omp, steps, 'session')).toEqual(expected);
  });

  it('follows its twin to a better owner', async () => {
    const { tan, clone } = tangled();
    const older = structuredClone({ ...clone.session, id: 'older' });
    // Its clock had been set back: what it copied looks like its own.
    Object.assign(older.header, { id: 'older', timestamp: new Date(at(-1)).toISOString() });
    const other = { name: '2026-11-20T08-59-00-000Z_older.jsonl', session: older };
    const expected = { older: two, clone: two, tan: two };
    for (const files of [
      [clone, tan, other],
      [other, clone, tan],
      [other, tan, clone],
    ])
      expect(
        await reported(
          omp,
          files.map((file) => [file]),
          'session',
        ),
      ).toEqual(expected);
  });
});
