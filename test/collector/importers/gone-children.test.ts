/** Subagents whose files are gone when their parents are imported: the log replaces the files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountGoneChildren } from '../../../collector/importers/gone-children.ts';
import { createIssues } from '../../../collector/importers/issues.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import type { LateChild } from '../../../collector/importers/progress/late-children.ts';
import { LogClosedError } from '../../../collector/importers/whole-log.ts';
import type { LedgerEvent } from '../../../contract/index.ts';
import {
  answer,
  append,
  fork,
  newSession,
  toolCall,
  toolResult,
  usage,
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeSession } from './support/files.ts';
import { createImports, memoryProgress, sayings } from './support/imports.ts';
import { bookmark, file } from './support/kept.ts';
import { story } from './support/scans.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const at = (second: number) => startMs + second * 1_000;

/**
 * A child with two answers, a tool that spent, and its own subagent's spend; a fork of the child,
 * and a parent whose tool result repeats the child's messages.
 */
function family() {
  const child = newSession('child', at(2));
  append(
    child,
    'c1',
    at(4),
    answer('c1', { timestamp: at(4), content: [toolCall('t2', 'subagent')] }),
  );
  append(
    child,
    'x2',
    at(5),
    toolResult('t2', 'subagent', false, { results: [{ agent: 'scout', usage: usage(40) }] }),
  );
  append(child, 'c2', at(6), answer('c2', { timestamp: at(6) }));
  const { message: searched, ...entry } = toolResult('t3', 'search');
  append(child, 'x3', at(7), {
    ...entry,
    message: { ...searched, usage: usage(50), timestamp: at(7) - 5 },
  });
  const later = fork(child, 'later', at(60));
  append(later, 'l1', at(61), answer('l1', { timestamp: at(61) }));
  const parent = newSession('parent', at(0));
  append(
    parent,
    'p1',
    at(1),
    answer('p1', { timestamp: at(1), content: [toolCall('t1', 'subagent')] }),
  );
  const messages = child.entries.map(({ message }) => message);
  append(
    parent,
    'x1',
    at(9),
    toolResult('t1', 'subagent', false, { results: [{ agent: 'worker', messages }] }),
  );
  return { child, later, parent };
}

async function imported(
  first: ReturnType<typeof newSession>,
  isGone: boolean,
  options: Parameters<ReturnType<typeof createImports>['scan']>[0] = {},
) {
  const directory = mkdtempSync(join(root, 'sessions-'));
  const imports = createImports(pi, directory);
  const path = writeSession(directory, first);
  await imports.scan();
  if (isGone) rmSync(path);
  writeSession(directory, family().parent);
  return { imports, path, result: await imports.scan(options) };
}

const told = (events: Iterable<LedgerEvent>) =>
  sayings(
    [...events].filter(
      ({ type }) => type === 'pi.subagent.accounted.v1' || type === 'pi.session.attributed.v1',
    ),
  );

it.each(['child', 'later'] as const)(
  'are told of as if they were read again, to the id: %s',
  async (name) => {
    const first = family()[name];
    const there = await imported(first, false);
    const gone = await imported(first, true);
    expect(told(gone.imports.events.values())).toEqual(told(there.imports.events.values()));
    expect(gone.imports.of('pi.subagent.accounted.v1').length).toBeGreaterThan(1);
    expect(gone.result).toMatchObject({ issueCount: 0 });
  },
);

it('are told of once: the log is not read again for them', async () => {
  const { imports } = await imported(family().child, true);
  const readLog = () => {
    throw new Error('not to be read');
  };
  expect(await imports.scan({ readLog })).toMatchObject({
    issueCount: 0,
    events: { new: 0, known: 0 },
  });
});

it('are named where the log is not to be read, and told of when it is', async () => {
  // biome-ignore lint/correctness/useYield: it ends before it begins
  async function* closed(): AsyncGenerator<LedgerEvent> {
    throw new LogClosedError('not to be read');
  }
  const { imports, path, result } = await imported(family().child, true, { readLog: closed });
  expect(result).toMatchObject({
    lostCount: 1,
    issues: [{ code: 'claim_left_out', file: path, line: null, mayHoldSpend: true }],
  });
  expect(imports.of('pi.subagent.accounted.v1')).toEqual([]);
  expect(await imports.scan()).toMatchObject({ issueCount: 0 });
  expect(imports.of('pi.subagent.accounted.v1').length).toBeGreaterThan(1);
});

it('are named where what is told of them is refused', async () => {
  const accept = async (values: readonly unknown[]) => {
    const rejected = (values as readonly LedgerEvent[]).flatMap(({ type }, index) =>
      type === 'pi.subagent.accounted.v1' || type === 'pi.session.attributed.v1'
        ? [{ index, code: 'schema', field: '/data', message: 'no' } as const]
        : [],
    );
    return { accepted: values.length - rejected.length, duplicates: 0, expired: 0, rejected };
  };
  const { path, result } = await imported(family().child, true, { accept });
  const refused = result.issues.filter(({ code }) => code === 'events_refused');
  expect(refused.map(({ file }) => file)).toContain(path);
  expect(refused.map(({ file }) => file)).not.toContain('');
});

it('are tried again where reading the log failed', async () => {
  // biome-ignore lint/correctness/useYield: it ends before it begins
  async function* failing(): AsyncGenerator<LedgerEvent> {
    throw new Error('disk full');
  }
  await expect(imported(family().child, true, { readLog: failing })).rejects.toThrow('disk full');
});

it('are told nothing of where their files are there, and the log is not read', async () => {
  const readLog = () => {
    throw new Error('not to be read');
  };
  const { imports } = await imported(family().child, false, { readLog });
  expect(imports.of('pi.subagent.accounted.v1').length).toBeGreaterThan(1);
});

describe('a session whose file is gone', () => {
  const parent = (sessionId: string) => ({ sessionId, key: `turn:${sessionId}` });
  const standing = {
    firstAnswer: 'k',
    copiedAnswers: [
      { sessionId: 'one', key: 'k1', beganAt: '', sums: [] },
      { sessionId: 'two', key: 'k2', beganAt: '', sums: [] },
    ],
    awaitedParent: { file: '/parent.jsonl', key: 'agent:A' },
  };

  /** What is told of the child's kept progress, and that progress afterwards. */
  async function toldOf(late: Partial<LateChild>) {
    const directory = mkdtempSync(join(root, 'sessions-'));
    for (const id of ['child', 'one', 'two']) writeSession(directory, story(id));
    const imports = createImports(pi, directory);
    await imports.scan();
    const progress = memoryProgress();
    progress.save([file('/child', { bookmark: bookmark('child', standing) })], []);
    const accounts: (readonly string[])[] = [];
    const child = {
      path: '/child',
      claimedBy: null,
      isClaimedAnew: false,
      alsoClaimedBy: [],
      ties: [],
      ...late,
    };
    await accountGoneChildren([child], {
      progress,
      async *readLog() {
        yield* imports.events.values();
      },
      async take({ texts }) {
        for (const text of texts) {
          const { type, subject, data } = JSON.parse(text) as LedgerEvent;
          if (type === 'pi.subagent.accounted.v1') accounts.push([subject, data.childSessionId]);
        }
      },
      issues: createIssues(),
    });
    return { accounts: accounts.sort(), kept: progress.of('/child') };
  }

  it('is told to those who claim an answer that it made or copied, to nobody else', async () => {
    const alsoClaimedBy = [
      { firstAnswer: null, parent: parent('all') },
      { firstAnswer: 'k', parent: parent('own') },
      { firstAnswer: 'k2', parent: parent('second') },
      { firstAnswer: 'unknown', parent: parent('nobody') },
      { firstAnswer: 'k1', parent: parent('one') },
    ];
    const { accounts, kept } = await toldOf({ alsoClaimedBy });
    expect(accounts).toEqual([
      ['all', 'child'],
      ['own', 'child'],
      ['second', 'two'],
    ]);
    expect(kept?.alsoClaimedBy).toHaveLength(alsoClaimedBy.length);
    expect(kept?.bookmark).toEqual(bookmark('child', standing));
  });

  it('awaits no parent any more when it has one, and keeps all else of its standing', async () => {
    const { accounts, kept } = await toldOf({ claimedBy: parent('nearest') });
    expect(accounts).toEqual([['nearest', 'child']]);
    expect(kept).toMatchObject({
      claimedBy: parent('nearest'),
      bookmark: bookmark('child', { ...standing, awaitedParent: null }),
    });
  });

  it('is not looked for in the log when nothing is kept of it, or it had no session', async () => {
    const progress = memoryProgress();
    progress.save([file('/empty')], []);
    const late = { claimedBy: parent('p'), isClaimedAnew: false, alsoClaimedBy: [], ties: [] };
    const readLog = () => {
      throw new Error('not to be read');
    };
    const children = ['/empty', '/unknown'].map((path) => ({ path, ...late }));
    const take = async () => undefined;
    await accountGoneChildren(children, { progress, readLog, take, issues: createIssues() });
    expect(progress.of('/empty')).toEqual(file('/empty'));
  });
});
