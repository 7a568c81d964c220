/**
 * Lines that are written side by side and read one after the other, in files of a temporary folder
 * that only its owner can read: OpenMetrics wants each family in one piece.
 */
import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileReason } from '@pi-ledger/core/machine/file-reason';
import { linesIn } from '../line-stream.ts';

export interface FamilyFiles {
  append(family: string, lines: string): Promise<void>;
  /** Whole lines, some at once. */
  read(family: string): AsyncIterable<string>;
  remove(): Promise<void>;
}

const linesAtOnce = 1_000;

export async function createFamilyFiles(): Promise<FamilyFiles> {
  const folder = await named(() => mkdtemp(join(tmpdir(), 'pi-ledger-')));
  return {
    append: (family, lines) => named(() => appendFile(join(folder, family), lines)),
    async *read(family) {
      let some: string[] = [];
      const bytes = createReadStream(join(folder, family));
      for await (const { text } of linesIn(bytes, Number.POSITIVE_INFINITY)) {
        some.push(`${text}\n`);
        if (some.length < linesAtOnce) continue;
        yield some.join('');
        some = [];
      }
      yield some.join('');
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The user has not named this folder, and may not know that it is used. */
async function named<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = fileReason(error);
    if (reason === undefined) throw error;
    const message = `The temporary folder ${tmpdir()} (TMPDIR) cannot be used: ${reason}.`;
    throw new Error(message, { cause: error });
  }
}
