import { statfsSync } from 'node:fs';
import type { DoctorFinding } from './finding.ts';

/** As much as a spool may need: with less, recorded events may be lost. */
const badBelowBytes = 256 * 1024 * 1024;
const noteBelowBytes = 2 * 1024 * 1024 * 1024;

/** Is there room for new events? Folders that do not exist yet are not checked. */
export function checkDisk(folders: readonly string[]): DoctorFinding[] {
  const free = folders.map(freeIn).filter((bytes) => bytes !== null);
  if (free.length === 0) return [];
  const bytes = Math.min(...free);
  const state = bytes < badBelowBytes ? 'bad' : bytes < noteBelowBytes ? 'note' : 'good';
  return [
    {
      check: 'disk',
      state,
      detail:
        `${(bytes / 1e9).toFixed(1)} GB free` +
        (state === 'good' ? '' : '; on a full disk no events are accepted'),
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
