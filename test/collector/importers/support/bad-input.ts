import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { pi } from '../../../../collector/importers/pi/importer.ts';
import {
  answer,
  append,
  type FakeSession,
  newSession,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { writeLines } from './files.ts';
import { createImports } from './imports.ts';

const startMs = Date.parse('2026-11-20T09:00:00.000Z');

/** A session of two answers. */
export function story(id = 's1'): FakeSession {
  const session = newSession(id, startMs);
  append(session, 'u1', startMs + 1_000, userSays());
  append(session, 'a1', startMs + 2_000, answer('r1'));
  append(session, 'a2', startMs + 3_000, answer('r2'));
  return session;
}

/** A directory for one test. */
export function fresh(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pi-ledger-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Imports one file with these lines. */
export async function imported(lines: readonly string[], end = '\n', name = 'session.jsonl') {
  const directory = fresh();
  const path = writeLines(join(directory, name), lines, end);
  const imports = createImports(pi, directory);
  const result = await imports.scan();
  const turns = imports.of('pi.turn.completed.v1').map(({ data }) => data.entryId);
  return {
    imports,
    result,
    turns,
    path,
    issues: result.issues.map(({ code, file, line }) => ({ code, file, line })),
  };
}
