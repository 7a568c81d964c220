/** Several projects on one sandbox machine. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initRepository, type Sandbox } from './sandbox.ts';

/**
 * The same machine seen from another project: a git repository of that name, with sessions in a
 * folder of its own. Disposing of either disposes of the machine.
 */
export function addProject(sandbox: Sandbox, name: string): Sandbox {
  const work = join(sandbox.root, 'work', name);
  const sessions = join(sandbox.sessions, name);
  mkdirSync(work, { recursive: true });
  mkdirSync(sessions, { recursive: true });
  writeFileSync(join(work, 'notes.txt'), 'alpha note\n');
  initRepository(work, sandbox.env, { remote: `https://git.example/acme/${name}.git` });
  return { ...sandbox, work, sessions };
}
