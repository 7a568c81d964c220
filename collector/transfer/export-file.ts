/**
 * A file that is there whole or not at all: written beside its place, and renamed when all of it is
 * on disk. Readable by its owner only, as the store. What is no file (a pipe, a device) is written
 * to as it is, and never replaced.
 *
 * Contract: `write` resolves when more may come; `finish` or `discard` is called once, as the last
 * thing. A kill -9 leaves what stood there before, and a file `.NAME.PID.part` beside it.
 */
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface ExportFile {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** Throws what the file system says. */
export async function createExportFile(path: string): Promise<ExportFile> {
  const found = await stat(path).catch(() => null); // not there, or not to be looked at: the file beside it tells
  if (found?.isDirectory()) throw new Error(`${path} is a directory: name a file in it.`);
  return found === null || found.isFile()
    ? fileBeside(found === null ? path : await realpath(path))
    : openAsItIs(path);
}

async function openAsItIs(path: string): Promise<ExportFile> {
  const file = await open(path, 'w');
  return {
    write: (text) => file.writeFile(text),
    finish: () => file.close(),
    discard: () => file.close(),
  };
}

/** `path` is no symbolic link: the rename would take its place. */
async function fileBeside(path: string): Promise<ExportFile> {
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const file = await open(part, 'w', 0o600);
  return {
    async write(text) {
      await file.writeFile(text);
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
