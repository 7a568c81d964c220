/**
 * Schemathesis, which asks a server all that its OpenAPI document promises: from PyPI into a venv
 * in the cache folder (15 s, once; needs Python 3.10 or newer with its module venv).
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheDirectory } from '../cache.ts';

const run = promisify(execFile);
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
const text = readFileSync(requirements, 'utf8');
const version = /^schemathesis==(\S+)$/m.exec(text)?.[1];

export interface Schemathesis {
  /** Name in summaries. */
  readonly name: string;
  /** The program and its first arguments. */
  readonly command: readonly [program: string, ...flags: string[]];
}

/** Rejects if it cannot be had. */
export async function findSchemathesis(environment: NodeJS.ProcessEnv): Promise<Schemathesis> {
  const parent = cacheDirectory(environment, 'schemathesis');
  const recipe = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const directory = join(parent, `schemathesis-${version}-${recipe}`);
  if (!existsSync(directory)) await install(parent, directory);
  // Not its own script: that names the folder in which it was installed.
  const python = join(directory, 'bin', 'python');
  return { name: `Schemathesis ${version}`, command: [python, '-m', 'schemathesis.cli'] };
}

/** The first of several processes that do this at once wins; the others throw theirs away. */
async function install(parent: string, directory: string): Promise<void> {
  await mkdir(parent, { recursive: true });
  const staging = await mkdtemp(join(parent, '.installing-'));
  const venv = join(staging, 'venv');
  try {
    await run('python3', ['-m', 'venv', venv]);
    // Wheels only: nothing of a package runs while it is installed.
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary', ':all:'];
    await run(join(venv, 'bin', 'python'), [...pip, '-r', requirements]);
    await rename(venv, directory).catch((error: unknown) => {
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
