import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { countOf } from '../output/counts.ts';
import type { DoctorFinding } from './finding.ts';

/** What waits in the local spool, and which events were rejected. */
export function checkSpool(spoolDirectory: string): DoctorFinding[] {
  const files = filesBelow(spoolDirectory);
  if (files === null) {
    return [
      { check: 'spool', state: 'note', detail: 'nothing has been recorded on this machine yet' },
    ];
  }
  const waiting = files.filter(
    (file) => file.path.endsWith('.ndjson') && !file.path.startsWith('rejected'),
  );
  const rejected = files.filter((file) => file.path.startsWith('rejected') && file.bytes > 0);
  const findings: DoctorFinding[] = [
    {
      check: 'spool',
      state: 'good',
      detail: `${bytesText(waiting)} waiting in ${countOf(waiting.length, 'segment')}`,
    },
  ];
  if (rejected.length > 0) {
    findings.push({
      check: 'rejected',
      state: 'bad',
      detail:
        `${bytesText(rejected)} rejected by a collector, ` +
        `kept in ${join(spoolDirectory, 'rejected')}`,
    });
  }
  return findings;
}

interface SpoolFile {
  readonly path: string;
  readonly bytes: number;
}

/** Returns null if there is no spool. A file that is shipped in the meantime counts nothing. */
function filesBelow(directory: string): SpoolFile[] | null {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
      const stats = statSync(join(directory, path), { throwIfNoEntry: false });
      return stats?.isFile() ? [{ path, bytes: stats.size }] : [];
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

function bytesText(files: readonly SpoolFile[]): string {
  return countOf(
    files.reduce((sum, file) => sum + file.bytes, 0),
    'byte',
  );
}
