import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { directoryMode } from './layout.ts';

/**
 * `mkdir -p`, for the user alone. Node's own (`recursive`) never returns if a file system answers
 * every mkdir with ENOENT, as /proc does, and that would hang the host.
 *
 * Contract: synchronous; throws what `mkdir` throws.
 */
export function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectory(parent);
  try {
    mkdirSync(directory, { mode: directoryMode });
  } catch (error) {
    // EEXIST: another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
