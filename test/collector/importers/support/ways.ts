/** Session files as successive imports find them, and the report after that. */
import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Importer } from '../../../../collector/importers/importer.ts';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { type Books, openBooks } from './books.ts';
import { writeSession } from './files.ts';

export const startMs = Date.parse('2026-11-20T09:00:00.000Z');
export const at = (minute: number) => startMs + minute * 60_000;

export interface File {
  readonly name: string;
  readonly session: FakeSession;
}

/** The path of a session's file in a folder, named as by the hosts. */
export const inFolder = (folder: string, session: FakeSession): File => ({
  name: join(folder, basename(fileOf(session))),
  session,
});

export const moved = (session: FakeSession, cwd: string): FakeSession => ({
  ...session,
  header: { ...session.header, cwd },
});

/** Files of one step stay, or are gone at the next one. */
export async function books(
  root: string,
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

export async function reported(
  root: string,
  importer: Importer,
  steps: readonly (readonly File[])[],
  ...by: string[]
): Promise<Record<string, string>> {
  return report(await books(root, importer, steps), ...by);
}

export async function report(opened: Books, ...by: string[]): Promise<Record<string, string>> {
  const found = await opened.report(undefined, ...by);
  await opened.close();
  return found;
}

/** Every order of one file per import, and all files at once. */
export function waysOf(files: readonly File[]): File[][][] {
  return [[[...files]], ...permutations(files).map((order) => order.map((file) => [file]))];
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

export function talk(session: FakeSession, name: string, minute: number, answers = 2): void {
  append(session, `${name}-user`, at(minute), userSays());
  for (let index = 1; index <= answers; index++)
    append(session, `${name}-${index}`, at(minute + index), answer(`${name}-r${index}`));
}
