/** The JavaScript runtimes that hosts use, as far as this machine has them. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hosts } from '../../../hosts/support/host/hosts.ts';

export interface Runtime {
  readonly name: 'node' | 'bun';
  /** Null if unavailable; tests then skip and say so. */
  readonly command: string | null;
}

/** The one that comes with the test installation of omp. */
const bun = hosts.find(({ family }) => family === 'omp')?.command[0] ?? '';

export const runtimes: readonly Runtime[] = [
  { name: 'node', command: process.execPath },
  { name: 'bun', command: existsSync(bun) ? bun : bunOnPath() },
];

function bunOnPath(): string | null {
  try {
    execFileSync('bun', ['--version'], { stdio: 'ignore' });
    return 'bun';
  } catch {
    return null;
  }
}
