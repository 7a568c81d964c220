/** Ties processes to a core of their own, so that what each needs can be told. Linux only. */
import { execFileSync } from 'node:child_process';
import { pidsOfDescendants } from '../proc.ts';

/** All threads that a process has; those that it starts later inherit the core. */
export function pin(pid: number, core: number): void {
  const flags = ['--all-tasks', '--cpu-list', '--pid'];
  execFileSync('taskset', [...flags, String(core), String(pid)], { stdio: 'ignore' });
}

/** Those with one of these names that this process has started, and they in turn. */
export async function pinDescendants(names: readonly string[], core: number): Promise<void> {
  for (const pid of await pidsOfDescendants(names)) {
    try {
      pin(pid, core);
    } catch {
      // It has ended meanwhile: a database has a process for each connection.
    }
  }
}
