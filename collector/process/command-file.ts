/**
 * `command.json` in PI_LEDGER_HOME: how commands of the collector begin that ran here last, for
 * agents, also while none runs (extension/command/collector-command.ts reads it).
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { homeFiles } from '../config/home-files.ts';
import { ownCommand, ownProgram } from './own-command.ts';

/** Contract: never throws; a collector runs without the file, too. */
export function noteCommand(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  onError: (error: unknown) => void,
): void {
  const path = join(home, homeFiles.command);
  const draft = `${path}.${process.pid}`;
  const noted = { command: ownCommand(env), program: ownProgram() };
  try {
    writeFileSync(draft, `${JSON.stringify(noted)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    onError(error);
  }
}
