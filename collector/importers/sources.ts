/** Sources of one file or several, as they are now. */
import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import type { Importer, ImportSource } from './importer.ts';
import type { Issues } from './issues.ts';
import { stampFile } from './progress/file-stamp.ts';

/**
 * The source that these files are together; null, and an issue, when one of them cannot be looked
 * at. `path` names it: one of the files, or the directory that they are in.
 */
export function lookAtSource(
  importer: Importer,
  path: string,
  files: readonly string[],
  issues: Issues,
): ImportSource | null {
  try {
    const stats = files.map((file) => statSync(file, { bigint: true }));
    return {
      path,
      files,
      importer,
      stamp: stampFor(stats),
      bytes: stats.reduce((sum, { size }) => sum + Number(size), 0),
      changedMs: stats.reduce((latest, { mtimeMs }) => Math.max(latest, Number(mtimeMs)), 0),
    };
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    const message = `a file of it cannot be looked at (${code})`;
    issues.add({ code: 'file_unreadable', file: path, line: null, message, mayHoldSpend: true });
    return null;
  }
}

/** The stamp of a source; null when a file of it is gone or its status cannot be read. */
export function stampSource({ path, files = [path] }: Pick<ImportSource, 'path' | 'files'>) {
  try {
    return stampFor(files.map((file) => statSync(file, { bigint: true })));
  } catch {
    return null; // the next scan finds out
  }
}

export function sumBytes(sources: readonly Pick<ImportSource, 'bytes'>[]): number {
  return sources.reduce((sum, { bytes }) => sum + bytes, 0);
}

function stampFor(stats: readonly BigIntStats[]): string {
  const stamps = stats.map(stampFile);
  return stamps.length === 1
    ? (stamps[0] ?? '')
    : createHash('sha256').update(stamps.join('\n')).digest('hex');
}
