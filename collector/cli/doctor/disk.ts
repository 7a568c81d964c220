import { statfsSync } from 'node:fs';
import type { Finding } from './finding.ts';

/** As much as a spool may come to want: with less, what agents record may be lost. */
const badBelowBytes = 256 * 1024 * 1024;
const noteBelowBytes = 2 * 1024 * 1024 * 1024;

/** Is there room for what is to come? Nothing is said of folders that are not there yet. */
export function checkDisk(folders: readonly string[]): Finding[] {
  const free = folders.map(freeIn).filter((bytes) => bytes !== null);
  if (free.length === 0) return [];
  const bytes = Math.min(...free);
  const state = bytes < badBelowBytes ? 'bad' : bytes < noteBelowBytes ? 'note' : 'good';
  return [
    {
      check: 'disk',
      state,
      detail: `${(bytes / 1e9).toFixed(1)} GB free${state === 'good' ? '' : '; a full disk takes in no events'}`,
    },
  ];
}

function freeIn(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
