/**
 * Makes a folder, and what is missing above it, for this user alone. Node's own recursion never
 * ends where a file system refuses new folders with ENOENT, as /proc does.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Contract: throws errors of the file system. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (isFolder(path)) return; // another process made it
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw isTaken ? Object.assign(new Error(`ENOTDIR: ${path}`), { code: 'ENOTDIR', path }) : error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
