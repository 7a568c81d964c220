/** Short-lived programs: run, wait, time. */
import { spawn } from 'node:child_process';

export interface ProgramRun {
  readonly stdout: string;
  /** From the spawn until the process has ended and its output has been read. */
  readonly wallMs: number;
}

/** Rejects, with its output, unless it ends with exit code 0. `started` receives its process id. */
export function runProgram(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  started: (pid: number) => void = () => undefined,
): Promise<ProgramRun> {
  const [program = '', ...args] = command;
  const startedMs = performance.now();
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) started(child.pid);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const wallMs = performance.now() - startedMs;
      if (code === 0) resolve({ stdout: output.stdout, wallMs });
      else
        reject(
          new Error(
            `${command.join(' ')} ended with ${code ?? signal}\n${output.stderr.slice(-2_000)}`,
          ),
        );
    });
  });
}

/**
 * Runs a script that prints one JSON value, in its own process: with a fresh heap, and only its own
 * work in its figures.
 */
export async function runScript<Result>(
  script: URL,
  options: {
    readonly program?: string;
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<Result> {
  const { stdout } = await runProgram(
    [options.program ?? process.execPath, script.pathname, ...(options.args ?? [])],
    options.env,
  );
  return JSON.parse(stdout) as Result;
}
