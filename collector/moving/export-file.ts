/**
 * A file that is there whole or not at all: written beside its place, and renamed when all of it is on disk. Readable by its owner only, as the store.
 *
 * Contract: `write` resolves when more may come; `finish` or `discard` is called once, as the last thing. A kill -9 leaves what stood there before,
 * and a file `.NAME.PID.part` beside it.
 */
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface ExportFile {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** Throws what the file system says. */
export async function createExportFile(path: string): Promise<ExportFile> {
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
