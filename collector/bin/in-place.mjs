/** Runs a program in place of this process. Plain JavaScript for Node 20 and newer. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Ends as the program ends. Signals from a terminal reach it by themselves; those sent to this
 * process alone are passed on.
 */
export function runInPlace(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'inherit', ...options });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${program} cannot be run: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) =>
    process.exit(signal === null ? code : 128 + constants.signals[signal]),
  );
}
