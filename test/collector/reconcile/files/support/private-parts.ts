/** Which of some session files are private as a whole, and which entries are. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inOrder } from '../../../../../collector/reconcile/files/file-order.ts';
import { findPrivateParts } from '../../../../../collector/reconcile/files/private-files.ts';
import { findSessionFiles } from '../../../../../collector/reconcile/files/session-files.ts';
import {
  append,
  type FakeSession,
  newSession,
} from '../../../../extension/support/fake-session.ts';
import { writeSession } from '../../../importers/support/files.ts';
import { at } from '../../../importers/support/private-family.ts';
import type { Written } from '../../support/subagent-family.ts';

/** The same whatever the order of the files. */
export function privatePartsIn(directory: string, written: readonly Written[]) {
  const home = mkdtempSync(join(directory, 'private-'));
  for (const [session, name] of written) writeSession(home, session, name);
  const files = inOrder(findSessionFiles([home]).files);
  const [parts, others] = [files, files.toReversed()].map(findPrivateParts);
  const wholeBy = (isWhole: ((path: string) => boolean) | undefined) =>
    files
      .filter(({ path }) => isWhole?.(path))
      .map(({ header }) => header.sessionId)
      .sort();
  expect(wholeBy(others?.isWhole)).toEqual(wholeBy(parts?.isWhole));
  return {
    /** The sessions whose files are private as a whole, sorted. */
    whole: wholeBy(parts?.isWhole),
    /** Of these entries, by id and minute, those that are private. */
    entries: (...named: readonly (readonly [id: string, minute: number])[]) =>
      named.flatMap(([id, minute]) => {
        const isPrivate = parts?.isPrivate(id, at(minute));
        expect(others?.isPrivate(id, at(minute))).toBe(isPrivate);
        return isPrivate ? [id] : [];
      }),
  };
}

/** A session that began at minute 0, with entries `e0`, `e1`, ... */
export function sessionOf(
  id: string,
  entries: readonly (readonly [minute: number, body: Record<string, unknown>])[],
): FakeSession {
  const session = newSession(id, at(0));
  for (const [index, [minute, body]] of entries.entries())
    append(session, `e${index}`, at(minute), body);
  return session;
}
