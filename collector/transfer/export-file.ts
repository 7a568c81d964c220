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

export interface ExportFile {
  write(part: string | Uint8Array): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** Throws file system errors. */
export async function createExportFile(path: string): Promise<ExportFile> {
  // A missing or inaccessible path is reported when the file beside it is created.
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new Error(`${path} is a directory: give a file name.`);
  return found === null || found.isFile()
    ? fileBeside(found === null ? path : await realpath(path))
    : openAsItIs(path);
}

async function openAsItIs(path: string): Promise<ExportFile> {
  const file = await open(path, 'w');
  return {
    write: (part) => file.writeFile(part),
    finish: () => file.close(),
    discard: () => file.close(),
  };
}

/** `path` must not be a symbolic link: the rename would replace it. */
async function fileBeside(path: string): Promise<ExportFile> {
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const file = await open(part, 'w', 0o600);
  return {
    async write(part) {
      await file.writeFile(part);
    },
    async finish() {
      await file.sync();
      await file.close();
      await rename(part, path);
    },
    async discard() {
      await file.close();
      await rm(part, { force: true });
    },
  };
}
