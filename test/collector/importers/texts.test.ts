/**
 * Texts of summaries in session files are imported when the user wants them, exactly as the live
 * extension sends them, without secrets.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import {
  createInlineRunner,
  createWorkerRunner,
} from '../../../collector/importers/threads/runner.ts';
import type { LedgerEvent } from '../../../contract/index.ts';
import { createContents } from '../../../core/content/contents.ts';
import { contentCharsMax, createRedactor } from '../../../core/content/redactor.ts';
import {
  append,
  contextOf,
  type FakeSession,
  fork,
  newSession,
  userSays,
} from '../../extension/support/fake-session.ts';
import { newMachine, startProcess } from '../../extension/support/ledger-machine.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeSession } from './support/files.ts';
import { createImports, homeDirectory, sayings } from './support/imports.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const texts = new Set(['pi.compaction.completed.v1', 'pi.branch.summarized.v1']);

// Secrets that secretlint knows, a value after a telling name, and personal data.
const key = `ghp_${'a1B2'.repeat(9)}`;
const slackHook = 'https://hooks.slack.com/services/T01234567/B01234567/abcdefghijklmnopqrstuvwx';
const secrets = [key, slackHook, 'hunter2', 'ada@shop.example', homeDirectory];
const summary =
  `## Goal\nThe shop.\n- ${key}\n- ${slackHook}\n- password=hunter2\n` +
  `- ada@shop.example\n- ${homeDirectory}/notes\n`;
const redacted =
  '## Goal\nThe shop.\n- [redacted]\n- [redacted]\n- password=[redacted]\n- [email]\n- ~/notes\n';

/**
 * Compactions and a branch summary; the second compaction's text exceeds the limit, the third has
 * none.
 */
function story(id = 's1'): FakeSession {
  const session = newSession(id, startMs);
  append(session, 'u1', startMs + 1_000, userSays());
  append(session, 'c1', startMs + 2_000, {
    type: 'compaction',
    summary,
    firstKeptEntryId: 'u1',
    tokensBefore: 900,
  });
  append(session, 'b1', startMs + 3_000, {
    type: 'branch_summary',
    fromId: 'u1',
    summary: `left: ${summary}`,
  });
  append(session, 'c2', startMs + 4_000, {
    type: 'compaction',
    summary: summary.repeat(200),
    firstKeptEntryId: 'b1',
    tokensBefore: 800,
  });
  append(session, 'c3', startMs + 5_000, {
    type: 'compaction',
    summary: '',
    firstKeptEntryId: 'b1',
    tokensBefore: 700,
  });
  return session;
}

function importsOf(...sessions: readonly FakeSession[]) {
  const directory = mkdtempSync(join(root, 'sessions-'));
  const paths = sessions.map((session) => writeSession(directory, session, `${session.id}.jsonl`));
  return { imports: createImports(pi, directory), paths };
}

const summaries = (events: Iterable<LedgerEvent>) =>
  [...events].filter(({ type }) => texts.has(type));

/** What the running extension records of it, with the setting on. */
async function recordedLive(session: FakeSession): Promise<readonly LedgerEvent[]> {
  const contents = createContents({
    import: async () => createRedactor({ homeDirectory }),
    soon: (callback) => callback(),
    notify: () => undefined,
  });
  await new Promise<void>((resolve) => contents.whenReady(resolve));
  const machine = newMachine(startMs);
  const live = startProcess(machine, { contents });
  const fire = (trigger: Parameters<typeof live.recorder.handle>[0], event: object) =>
    live.recorder.handle(trigger, event, contextOf(session), { sessionId: null });
  fire('session_start', { reason: 'startup' });
  live.idle();
  fire('session_shutdown', { reason: 'quit' });
  return machine.events() as never;
}

describe('the texts of summaries in a session file', () => {
  it.each([
    ['in this thread', createInlineRunner],
    [
      'in a worker thread',
      (settings: Parameters<typeof createInlineRunner>[0]) => createWorkerRunner(settings, 1),
    ],
  ])(
    'are those that the live extension sends, to the letter, where they are wanted: read %s',
    async (_where, createRunner) => {
      const session = story();
      const live = summaries(await recordedLive(session));
      const { imports } = importsOf(session);
      expect(await imports.scan({ auditContent: true, createRunner })).toMatchObject({
        issueCount: 0,
      });
      const imported = summaries(imports.events.values());
      expect(imported).toHaveLength(4);
      expect(sayings(imported)).toEqual(sayings(live));
      const [first, second, third] = imports
        .of('pi.compaction.completed.v1')
        .map(({ data }) => data.summaryText);
      expect(first).toEqual({ text: redacted, truncated: false, redactions: 5 });
      expect(second).toMatchObject({ truncated: true });
      expect(second?.text.length).toBeLessThanOrEqual(contentCharsMax);
      expect(third).toBeUndefined();
      expect(imports.of('pi.branch.summarized.v1')[0]?.data.summaryText?.text).toMatch(
        /^left: ## Goal/,
      );
      const all = JSON.stringify(
        [...imports.events.values()]
          .map(({ data }) => data)
          .filter((data) => 'summaryText' in data),
      );
      for (const secret of secrets) expect(all).not.toContain(secret);
    },
  );

  it.each([
    ['in this thread', createInlineRunner],
    [
      'in a worker thread',
      (settings: Parameters<typeof createInlineRunner>[0]) => createWorkerRunner(settings, 1),
    ],
  ])(
    'stay there unless they are wanted, and nothing else differs: read %s',
    async (_where, createRunner) => {
      const [off, on] = [importsOf(story()).imports, importsOf(story()).imports];
      await off.scan({ createRunner });
      await on.scan({ createRunner, auditContent: true });
      expect(JSON.stringify([...off.events.values()])).not.toMatch(/summaryText|Goal|hunter2/);
      expect(withoutTexts(on.events.values())).toEqual(sayings(off.events.values()));
    },
  );

  it('come from the copies in a fork too, where the file of their owner is gone', async () => {
    const session = story();
    const { imports } = importsOf(fork(session, 's2', startMs + 60_000));
    await imports.scan({ auditContent: true });
    const live = summaries(await recordedLive(session));
    expect(sayings(summaries(imports.events.values()))).toEqual(sayings(live));
  });

  it('are not added to entries that were imported without, and cost those no read', async () => {
    const { imports } = importsOf(story());
    await imports.scan();
    expect(await imports.scan({ auditContent: true })).toMatchObject({
      files: { unchanged: 1 },
      bytes: 0,
      events: { new: 0 },
    });
  });
});

function withoutTexts(events: Iterable<LedgerEvent>): readonly string[] {
  const bare = [...events].map((event) => {
    const { summaryText: _, ...data } = event.data as { summaryText?: unknown };
    return { ...event, data } as LedgerEvent;
  });
  return sayings(bare);
}
