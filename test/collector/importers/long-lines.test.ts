/** Lines as long as hosts write them: one line holds everything a tool's subagents read. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import type { ReaderSettings } from '../../../collector/importers/reader-setup.ts';
import {
  createInlineRunner,
  createWorkerRunner,
  type Runner,
} from '../../../collector/importers/threads/runner.ts';
import { limits } from '../../../contract/batch.ts';
import { readEntry } from '../../../core/record/entry.ts';
import { rootState } from '../../../core/record/path-state.ts';
import { recordEntry } from '../../../core/record/record-entry.ts';
import {
  answer,
  append,
  newSession,
  toolResult,
  usage,
  userSays,
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { writeSession } from './support/files.ts';
import { createImports } from './support/imports.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');

/** Children with this many reads of this many characters, and answers in between. */
function resultOf(children: number, reads: number, chars: number) {
  const messages = (child: number) =>
    Array.from({ length: reads }, (_, index) => [
      {
        role: 'assistant',
        content: [],
        usage: usage(child * 1_000 + index),
        timestamp: startMs + index,
        responseId: `r${child}-${index}`,
      },
      {
        role: 'toolResult',
        toolCallId: `c${index}`,
        content: [{ type: 'text', text: `é\n"${'x'.repeat(chars)}` }],
      },
    ]).flat();
  const results = Array.from({ length: children }, (_, child) => ({
    agent: 'scout',
    messages: messages(child),
  }));
  const result = toolResult('call-1', 'subagent');
  return { ...result, message: { ...result.message, details: { results } } };
}

function story(body: object) {
  const session = newSession('s1', startMs);
  append(session, 'u1', startMs + 1_000, userSays());
  append(session, 'a1', startMs + 2_000, answer('r1'));
  append(session, 't1', startMs + 3_000, body as never);
  append(session, 'a2', startMs + 4_000, answer('r2'));
  return session;
}

const runners: readonly (readonly [string, (settings: ReaderSettings) => Runner])[] = [
  ['in this thread', createInlineRunner],
  ['in a worker', (settings) => createWorkerRunner(settings, 1)],
];

describe('a tool result that repeats what eight subagents have read, in a line of 10 MB', () => {
  it.each(runners)(
    'is counted as the live extension counts it, read %s',
    async (_where, createRunner) => {
      const session = story(resultOf(8, 26, 50_000));
      const directory = mkdtempSync(join(root, 'sessions-'));
      writeSession(directory, session);
      const imports = createImports(pi, directory);
      expect(await imports.scan({ createRunner })).toMatchObject({
        issueCount: 0,
        files: { read: 1 },
      });
      const claims = imports.of('pi.subagent.claimed.v1');
      expect(claims).toHaveLength(8 * 26);
      const entry = readEntry(session.entries[2]);
      const above = { ...rootState, turnEntryId: 'a1', promptEntryId: 'u1', toolCalls: [] };
      const live = entry === null ? [] : recordEntry({ id: 's1', cwd: null }, entry, above);
      const sayings = (drafts: readonly { readonly id: string; readonly data: object }[]) =>
        drafts.map(({ id, data }) => JSON.stringify([id, { ...data, durationMs: null }])).sort();
      const imported = [...claims, ...imports.of('pi.tool.completed.v1')];
      expect(imported.map(({ id }) => id).sort()).toEqual(live.map(({ id }) => id).sort());
      expect(sayings(claims)).toEqual(
        sayings(live.filter(({ type }) => type === 'pi.subagent.claimed.v1')),
      );
      expect(imported.find(({ type }) => type === 'pi.tool.completed.v1')?.data).toMatchObject({
        sizes: live.flatMap((draft) =>
          draft.type === 'pi.tool.completed.v1' ? [draft.data.sizes] : [],
        )[0],
      });
    },
  );
});

describe('a line that comes to more events than a request may have', () => {
  it('is handed over in several', async () => {
    const session = story(resultOf(300, 20, 10));
    const directory = mkdtempSync(join(root, 'sessions-'));
    writeSession(directory, session);
    const imports = createImports(pi, directory);
    const sizes: number[] = [];
    await imports.scan({
      async accept(values, texts) {
        expect(texts.length).toBeLessThanOrEqual(limits.batchEventsMax);
        expect(Buffer.byteLength(`[${texts.join(',')}]`)).toBeLessThanOrEqual(limits.bodyBytesMax);
        sizes.push(values.length);
        return { accepted: values.length, duplicates: 0, expired: 0, rejected: [] };
      },
    });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(6_000);
  });
});

describe('a line of many short values', () => {
  const huge = (data: unknown[]) => ({ type: 'custom', data });

  async function imported(
    body: object,
    createRunner = createInlineRunner as (settings: ReaderSettings) => Runner,
  ) {
    const directory = mkdtempSync(join(root, 'sessions-'));
    const path = writeSession(directory, story(body));
    const imports = createImports(pi, directory);
    const result = await imports.scan({ createRunner });
    return {
      path,
      result,
      turns: imports.of('pi.turn.completed.v1').map(({ data }) => data.entryId),
    };
  }

  it('that are too many to be read may hold spend, and the others count', async () => {
    const { path, result, turns } = await imported(
      huge(Array.from({ length: 2_200_000 }, () => 'abcde')),
    );
    expect(turns).toEqual(['a1', 'a2']);
    expect(result).toMatchObject({
      lostCount: 1,
      issues: [{ code: 'line_too_long', file: path, line: 4 }],
    });
  });

  it('that take many times its length in memory is read in a worker all the same', async () => {
    const bomb = huge(Array.from({ length: 1_500_000 }, () => []));
    const { result, turns } = await imported(bomb, (settings) => createWorkerRunner(settings, 1));
    expect(result).toMatchObject({ files: { read: 1, failed: 0 }, issueCount: 0 });
    expect(turns).toEqual(['a1', 'a2']);
  });
});
