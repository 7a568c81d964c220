/**
 * What reading needs besides the files: this machine, the paths of other sessions, and the
 * redactor.
 */
import { mkdtempSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import { createReader } from '../../../collector/importers/reader-setup.ts';
import type { LedgerEvent } from '../../../contract/index.ts';
import type { Redact } from '../../../core/content/redactor.ts';
import { userName } from '../../../core/machine/user.ts';
import {
  answer,
  append,
  type FakeSession,
  fork,
  newSession,
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeSession } from './support/files.ts';
import { homeDirectory } from './support/imports.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');

function story(): FakeSession {
  const session = newSession('s1', startMs);
  append(session, 'a1', startMs + 1_000, answer('r1'));
  append(session, 'c1', startMs + 2_000, {
    type: 'compaction',
    summary: 'hunter2',
    firstKeptEntryId: 'a1',
    tokensBefore: 900,
  });
  append(session, 'b1', startMs + 3_000, {
    type: 'branch_summary',
    fromId: 'a1',
    summary: 'hunter2',
  });
  append(session, 'c2', startMs + 4_000, {
    type: 'compaction',
    summary: '',
    firstKeptEntryId: 'b1',
    tokensBefore: 700,
  });
  return session;
}

interface Asked {
  readonly session?: FakeSession;
  readonly auditContent?: boolean;
  readonly latestTime?: string;
  readonly files?: ReadonlyMap<string, string>;
  load?(homeDirectory: string): Promise<Redact>;
}

async function read({
  session = story(),
  auditContent = false,
  latestTime = '9999',
  files = new Map(),
  load,
}: Asked) {
  const path = writeSession(mkdtempSync(join(root, 'sessions-')), session);
  const reader = await createReader(
    { homeDirectory, auditContent, version: '0.1.0', latestTime, files },
    [pi],
    load,
  );
  const reading = reader({ path, importer: 'pi', from: null, claimedBy: null });
  const events: LedgerEvent[] = [];
  let step = reading.next();
  for (; !step.done; step = reading.next())
    events.push(...step.value.texts.map((text) => JSON.parse(text) as LedgerEvent));
  return { events, path, issues: step.value.issues.list };
}

const textsIn = (events: readonly LedgerEvent[]) =>
  events.flatMap(({ data }) =>
    'summaryText' in data && data.summaryText !== undefined ? [data.summaryText.text] : [],
  );

it('knows this machine and its user', async () => {
  const { events } = await read({});
  const [attribution] = events.flatMap((event) =>
    event.type === 'pi.session.attributed.v1' ? [event.data] : [],
  );
  expect(attribution).toMatchObject({
    user: userName(),
    machine: hostname(),
    producerVersion: '0.1.0',
    project: { name: expect.any(String) },
  });
});

it('knows where other sessions were found', async () => {
  const parent = writeSession(mkdtempSync(join(root, 'elsewhere-')), {
    ...story(),
    header: { ...story().header, cwd: '/srv/elsewhere' },
  });
  const session = fork(story(), 'c1', startMs + 60_000);
  const named = { ...session, header: { ...session.header, parentSession: 's1' } };
  const copied = async (files: ReadonlyMap<string, string>) =>
    (await read({ session: named, files })).events.flatMap((event) =>
      event.type === 'pi.session.copied.v1' ? [event.data.ownerAssumed] : [],
    );
  expect(await copied(new Map([['s1', parent]]))).toEqual([false]);
  expect(await copied(new Map())).toEqual([true]);
});

it('holds back what is later than the log takes', async () => {
  const { issues } = await read({ latestTime: '2026-11-20T09:00:03.500Z' });
  expect(issues.map(({ code, line }) => [code, line])).toEqual([['time_in_future', 5]]);
});

it('loads what takes secrets out of texts where these are wanted, and for this home', async () => {
  const homes: string[] = [];
  const load = async (home: string): Promise<Redact> => {
    homes.push(home);
    return (text) => ({
      text: text.replace('hunter2', '[redacted]'),
      truncated: false,
      redactions: 1,
    });
  };
  expect(textsIn((await read({ load })).events)).toEqual([]);
  expect(homes).toEqual([]);
  expect(textsIn((await read({ load, auditContent: true })).events)).toEqual([
    '[redacted]',
    '[redacted]',
  ]);
  expect(homes).toEqual([homeDirectory]);
});

it('is the extension’s own, unless it is told otherwise', async () => {
  expect(textsIn((await read({ auditContent: true })).events)).toEqual(['hunter2', 'hunter2']);
});

it.each([
  [
    'cannot be loaded',
    () => Promise.reject(new Error('no such module')),
    'could not be loaded (no such module)',
  ],
  [
    'fails at them',
    async (): Promise<Redact> => () => {
      throw new Error('odd');
    },
    'redacting one of them failed',
  ],
])('leaves texts out, and says so for each, when the redactor %s', async (_why, load, problem) => {
  const { events, issues, path } = await read({ auditContent: true, load });
  expect(
    events.filter(({ type }) => /compaction.completed|branch.summarized/.test(type)),
  ).toHaveLength(3);
  expect(JSON.stringify(events)).not.toMatch(/summaryText|hunter2/);
  expect(issues.map(({ code, file, line }) => ({ code, file, line }))).toEqual(
    [3, 4].map((line) => ({ code: 'text_left_out', file: path, line })),
  );
  expect(issues[0]?.message).toContain(problem);
});
