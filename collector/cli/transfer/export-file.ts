/**
 * Writes a file completely or not at all: beside its destination, renamed once everything is on
 * disk. Readable by its owner only, like the store. Anything but a regular file (a pipe, a device)
 * is written directly and never replaced.
 *
 * Contract: `write` resolves when it accepts more; `finish` or `discard` is called once, at the
 * end. A kill -9 leaves the previous file unchanged, and a file `.NAME.PID.part` beside it.
 */
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileReason } from '@pi-ledger/core/machine/file-reason';

export interface ExportFile {
  write(part: string | Uint8Array): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** Errors name the path that was asked for, and say why in words. */
export async function createExportFile(path: string): Promise<ExportFile> {
  // A missing or inaccessible path is reported when the file beside it is created.
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new Error(`${path} is a directory: give a file name.`);
  return found === null || found.isFile()
    ? fileBeside(found === null ? path : await realpath(path), path)
    : openAsItIs(path);
}

async function openAsItIs(path: string): Promise<ExportFile> {
  const named = naming(path);
  const file = await named(() => open(path, 'w'));
  return {
    write: (part) => named(() => file.writeFile(part)),
    finish: () => named(() => file.close()),
    discard: () => file.close(),
  };
}

/** `path` must not be a symbolic link: the rename would replace it. */
async function fileBeside(path: string, asked: string): Promise<ExportFile> {
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const named = naming(asked);
  const file = await named(() => open(part, 'w', 0o600));
  return {
    write: (text) => named(() => file.writeFile(text)),
    finish: () =>
      named(async () => {
        await file.sync();
        await file.close();
        await rename(part, path);
      }),
    async discard() {
      await file.close();
      await rm(part, { force: true });
    },
  };
}

/** What fails is told of the path that the user knows. */
function naming(path: string) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const reason = code === 'ENOENT' ? `there is no folder ${dirname(path)}` : fileReason(error);
      if (reason === undefined) throw error;
      throw new Error(`${path} cannot be written: ${reason}.`, { cause: error });
    }
  };
}
