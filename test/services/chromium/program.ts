/**
 * The browser of the lane `web`: the program that PI_LEDGER_CHROMIUM names, else one of this
 * machine.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Chromium {
  /** Name and version, for summaries. */
  readonly name: string;
  readonly path: string;
}

const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Rejects, saying what to do, if there is none. */
export async function findChromium(environment: NodeJS.ProcessEnv): Promise<Chromium> {
  const named = environment.PI_LEDGER_CHROMIUM ?? '';
  const path = named === '' ? programOf(environment, programs) : named;
  if (path === undefined)
    throw new Error('no Chromium here: install one, or name it in PI_LEDGER_CHROMIUM');
  const { stdout } = await run(path, ['--version', '--no-sandbox']);
  return { name: stdout.trim().split(' ').slice(0, 2).join(' '), path };
}

/** Null: there is none, or the environment names a browser. */
export function findHeadlessShell(environment: NodeJS.ProcessEnv): string | null {
  if ((environment.PI_LEDGER_CHROMIUM ?? '') !== '') return null;
  return programOf(environment, ['chromium-headless-shell']) ?? null;
}

function programOf({ PATH = '' }: NodeJS.ProcessEnv, names: readonly string[]): string | undefined {
  return names
    .flatMap((program) => PATH.split(delimiter).map((folder) => join(folder, program)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
