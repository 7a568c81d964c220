/**
 * A subagent's records and its parent's claims count once, whatever was forked or deleted, in any
 * order of files.
 */
import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Importer } from '../../../collector/importers/importer.ts';
import { omp } from '../../../collector/importers/omp/importer.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
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
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import type { Books } from './support/books.ts';
import { writeSession } from './support/files.ts';
import { tasked } from './support/tasked.ts';
import { at, books, type File, inFolder, report, reported, waysOf } from './support/ways.ts';

const root = temporaryDirectory();

describe('a subagent', () => {
  /** Later imports find who claims its answers, so its file has to stay. */
  const totalsOf = async (importer: Importer, steps: readonly (readonly File[])[]) =>
    Object.values(await report(await books(root, importer, steps, true)));

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

  it('of omp counts once when its parent’s claim is an older session’s', async () => {
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
 * pi: a session, its subagent, and a subagent of that whose tool also used a model. Each repeats
 * the messages of the one below.
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
      const opened = await books(root, pi, steps);
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
    const opened = await books(root, pi, [[child], [parent]]);
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
      expect(await reported(root, omp, steps)).toEqual(expected);
    for (const steps of waysOf([forked, ofFork]))
      expect(await reported(root, omp, steps)).toEqual(expected);
  });

  it('of pi counts once, though only a fork of it was ever read', async () => {
    const [parent, child] = generations();
    if (parent === undefined || child === undefined) throw new Error('no family');
    const later = fork(child.session, 'later', at(20));
    append(later, 'l1', at(21), answer('l1'));
    const steps = waysOf([parent, inFolder('', later)]);
    const [together, ...apart] = await Promise.all(steps.map((each) => reported(root, pi, each)));
    for (const each of apart) expect(each).toEqual(together);
  });
});
