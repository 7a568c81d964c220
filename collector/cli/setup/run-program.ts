/** Runs other programs: hosts, npm, the manager of services. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Each line of either output, as it comes. */
  readonly onLine?: (line: string) => void;
}

/** `code` is null where the program is not on the PATH, or a signal ended it. */
export interface ProgramEnded {
  readonly code: number | null;
  readonly isMissing: boolean;
  /** Its last line; '' if it was silent. */
  readonly lastLine: string;
}

const timeoutMsDefault = 10 * 60_000;

/** Contract: never rejects; the program reads nothing, so it cannot ask. */
export function runProgram(
  [program = '', ...words]: readonly string[],
  { env, cwd, timeoutMs = timeoutMsDefault, onLine }: ProgramOptions,
): Promise<ProgramEnded> {
  return new Promise((resolve) => {
    let lastLine = '';
    const child = spawn(program, words, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      // npm is a script there.
      shell: process.platform === 'win32',
    });
    for (const output of [child.stdio[1], child.stdio[2]])
      createInterface({ input: output }).on('line', (line) => {
        if (line.trim() === '') return;
        lastLine = line.trim();
        onLine?.(line);
      });
    child.on('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT';
      resolve({ code: null, isMissing, lastLine: error.message });
    });
    child.on('close', (code) => resolve({ code, isMissing: false, lastLine }));
  });
}
